package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// One call of a function that the machine provides: its arguments and result, and the memory that
/// they point to, lane by lane.
record BuiltinCall(Warp warp, Frame frame, Exit.Call call) {
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
                ? warp.local().read(lane, frame.base + offset, argument.bytes())
                : frame.value(argument.value(), lane);
    }

    /// A word of an argument that is a structure.
    int word(int index, int lane, int number) {
        return call.arguments().get(index).value() instanceof Source.FrameAddress(long offset)
                ? (int) warp.local().read(lane, frame.base + offset + 4L * number, 4)
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
    long read(long address, int bytes, int lane) {
        Space space = Addresses.spaceOf(address);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (readByte(space, address + i, lane) & 0xffL) << 8 * i;
        }
        return value;
    }

    private byte readByte(Space space, long address, int lane) {
        long offset = address - Addresses.base(space);
        MemorySegment segment = MemorySegment.NULL;
        switch (space) {
            case GLOBAL -> {
                offset = address - Addresses.GLOBAL;
                segment = warp.cta().grid().global().segment();
            }
            case SHARED -> segment = warp.cta().shared();
            case LOCAL -> {
                segment = warp.local().segment();
                offset =
                        offset < warp.local().bytesPerLane()
                                ? warp.local().offset(lane, offset)
                                : -1;
            }
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
        Space space = Addresses.spaceOf(address);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < LONGEST_TEXT; i++) {
            byte next = readByte(space, address + i, lane);
            if (next == 0) {
                break;
            }
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
