package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.sanitizer.HostReads;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One call of a function that the machine provides: its arguments and result, and the memory that
/// they point to, lane by lane.
record BuiltinCall(Warp warp, Frame frame, Exit.Call call, HostReads host) {
    /// The longest text that is read.
    static final int LONGEST_TEXT = 1 << 16;

    /// The instruction.
    Site site() {
        return call.site();
    }

    /// An argument of at most eight bytes; 0 where the call has not so many.
    long argument(int index, int lane) {
        List<Exit.Argument> arguments = call.arguments();
        if (index >= arguments.size()) {
            return 0;
        }
        Exit.Argument argument = arguments.get(index);
        return argument.value() instanceof Source.FrameAddress(long offset)
                ? inFrame(offset, Math.min(argument.bytes(), Long.BYTES), lane)
                : frame.value(argument.value(), lane);
    }

    private long inFrame(long offset, int bytes, int lane) {
        long at = frame.base + offset;
        host.require(site(), Space.LOCAL, warp.local().offset(lane, at), bytes, lane);
        return warp.local().read(lane, at, bytes);
    }

    /// A word of an argument that is a structure.
    int word(int index, int lane, int number) {
        return call.arguments().get(index).value() instanceof Source.FrameAddress(long offset)
                ? (int) inFrame(offset + 4L * number, Integer.BYTES, lane)
                : 0;
    }

    /// Gives a lane its result.
    void give(int lane, long value) {
        if (call.results().isEmpty()) {
            return;
        }
        Exit.Argument target = call.results().getFirst();
        switch (target.value()) {
            case Source.FrameAddress(long offset) ->
                    warp.local().write(lane, frame.base + offset, target.bytes(), value);
            case Register register -> frame.set(register, lane, value);
            case Source.Constant _ -> {}
        }
    }

    /// At most eight bytes at a generic address.
    ///
    /// @param used how many of them, from the first, decide anything
    long read(long address, int bytes, int used, int lane) {
        Space space = Addresses.spaceOf(address);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (readByte(space, address + i, lane) & 0xffL) << 8 * i;
        }
        require(space, address, used, lane);
        return value;
    }

    /// Bytes that were read must have been written.
    private void require(Space space, long address, int bytes, int lane) {
        host.require(site(), space, place(space, address, lane), bytes, lane);
    }

    /// Where an address is in the segment of its space; -1 where it is outside.
    private long place(Space space, long address, int lane) {
        long offset = address - Addresses.base(space);
        return switch (space) {
            case GLOBAL -> address - Addresses.GLOBAL;
            case LOCAL ->
                    offset < warp.local().bytesPerLane() ? warp.local().offset(lane, offset) : -1;
            case SHARED, PARAM, CLUSTER, CONST, GENERIC -> offset;
        };
    }

    private byte readByte(Space space, long address, int lane) {
        long offset = place(space, address, lane);
        MemorySegment segment = MemorySegment.NULL;
        switch (space) {
            case GLOBAL -> segment = warp.cta().grid().global().segment();
            case SHARED -> segment = warp.cta().shared();
            case LOCAL -> segment = warp.local().segment();
            case PARAM -> segment = warp.cta().grid().parameters();
            case CLUSTER, CONST, GENERIC -> {}
        }
        if (offset < 0 || offset >= segment.byteSize()) {
            throw outside("a text or argument", address, lane);
        }
        return segment.get(ValueLayout.JAVA_BYTE, offset);
    }

    private RuntimeException outside(String what, long address, int lane) {
        return warp.faults()
                .undefined(
                        Rule.OUT_OF_BOUNDS,
                        site(),
                        1 << lane,
                        "%s at address 0x%x, outside every buffer".formatted(what, address));
    }

    /// Writes at most eight bytes at a generic address, in local or global memory.
    void write(long address, int bytes, long value, int lane) {
        Space space = Addresses.spaceOf(address);
        switch (space) {
            case LOCAL -> {
                long offset = address - Addresses.base(space);
                if (offset < 0 || offset > warp.local().bytesPerLane() - bytes) {
                    throw outside("a result", address, lane);
                }
                warp.local().write(lane, offset, bytes, value);
            }
            case GLOBAL -> {
                GlobalMemory global = warp.cta().grid().global();
                if (global.at(address) == null) {
                    throw outside("a result", address, lane);
                }
                MemorySegment place = global.range(address, bytes);
                for (int i = 0; i < bytes; i++) {
                    place.set(ValueLayout.JAVA_BYTE, i, (byte) (value >>> 8 * i));
                }
                global.markWritten(address, bytes);
            }
            case SHARED, CLUSTER, PARAM, CONST, GENERIC ->
                    throw warp.faults()
                            .unsupported(
                                    site(),
                                    1 << lane,
                                    "a result of the device runtime in shared memory");
        }
    }

    /// The text at a generic address, up to a byte of zero.
    String text(long address, int lane) {
        return text(address, LONGEST_TEXT, lane);
    }

    /// The same, or its first bytes.
    String text(long address, int most, int lane) {
        Space space = Addresses.spaceOf(address);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int read = 0;
        while (read < Math.min(most, LONGEST_TEXT)) {
            byte next = readByte(space, address + read, lane);
            read++;
            if (next == 0) {
                break;
            }
            bytes.write(next);
        }
        if (read > 0) {
            require(space, address, read, lane);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
