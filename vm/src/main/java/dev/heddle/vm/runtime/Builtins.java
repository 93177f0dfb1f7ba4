package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Limits;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The functions that a device provides without a body in the module: `vprintf`, `malloc`,
/// `free`, `__assertfail`.
public final class Builtins {
    private static final int LONGEST_TEXT = 1 << 16;

    private final Warp warp;

    public Builtins(Warp warp) {
        this.warp = warp;
    }

    public void call(Frame frame, Exit.Call call, String name, int lanes) {
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                long result =
                        switch (name) {
                            case "vprintf" -> print(frame, call, lane);
                            case "malloc" -> allocate(frame, call, lane);
                            case "free" -> free(frame, call, lane);
                            default -> throw assertion(frame, call, lane);
                        };
                if (!call.results().isEmpty()) {
                    give(frame, call.results().getFirst(), lane, result);
                }
            }
        }
    }

    private long argument(Frame frame, Exit.Call call, int index, int lane) {
        List<Exit.Argument> arguments = call.arguments();
        if (index >= arguments.size()) {
            return 0;
        }
        Exit.Argument argument = arguments.get(index);
        return argument.value() instanceof Source.FrameAddress(long offset)
                ? warp.local().read(lane, frame.base + offset, argument.bytes())
                : frame.value(argument.value(), lane);
    }

    private void give(Frame frame, Exit.Argument target, int lane, long value) {
        switch (target.value()) {
            case Source.FrameAddress(long offset) ->
                    warp.local().write(lane, frame.base + offset, target.bytes(), value);
            case Register register -> frame.set(register, lane, value);
            case Source.Constant _ -> {}
        }
    }

    private long print(Frame frame, Exit.Call call, int lane) {
        String format = text(call, argument(frame, call, 0, lane), lane);
        long place = argument(frame, call, 1, lane);
        Printf printf =
                new Printf(
                        format,
                        LONGEST_TEXT,
                        (offset, bytes) -> read(call, place + offset, bytes, lane),
                        address -> text(call, address, lane));
        String text = printf.text();
        if (text.length() > LONGEST_TEXT || !warp.cta().limits().print(text.length())) {
            throw warp.faults()
                    .fault(
                            Rule.MEMORY_LIMIT_REACHED,
                            call.site(),
                            1 << lane,
                            "printf of more than %d characters at once, or %d in one launch"
                                    .formatted(LONGEST_TEXT, Limits.MOST_PRINTED));
        }
        warp.cta().output().append(text);
        return printf.arguments();
    }

    private long allocate(Frame frame, Exit.Call call, int lane) {
        Buffer buffer = warp.cta().grid().global().allocateOnDevice(argument(frame, call, 0, lane));
        return buffer == null ? 0 : buffer.address();
    }

    private long free(Frame frame, Exit.Call call, int lane) {
        long address = argument(frame, call, 0, lane);
        if (address != 0 && !warp.cta().grid().global().free(address)) {
            throw warp.faults()
                    .undefined(
                            Rule.INVALID_FREE,
                            call.site(),
                            1 << lane,
                            "free of 0x%x, which malloc did not return or which is free already"
                                    .formatted(address));
        }
        return 0;
    }

    private RuntimeException assertion(Frame frame, Exit.Call call, int lane) {
        return warp.faults()
                .fault(
                        Rule.ASSERTION_FAILED,
                        call.site(),
                        1 << lane,
                        "%s:%d: %s: assertion `%s` does not hold"
                                .formatted(
                                        text(call, argument(frame, call, 1, lane), lane),
                                        argument(frame, call, 2, lane),
                                        text(call, argument(frame, call, 3, lane), lane),
                                        text(call, argument(frame, call, 0, lane), lane)));
    }

    private long read(Exit.Call call, long address, int bytes, int lane) {
        Space space = Addresses.spaceOf(address);
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (readByte(call, space, address + i, lane) & 0xffL) << 8 * i;
        }
        return value;
    }

    private byte readByte(Exit.Call call, Space space, long address, int lane) {
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
            throw warp.faults()
                    .undefined(
                            Rule.OUT_OF_BOUNDS,
                            call.site(),
                            1 << lane,
                            "a text or argument at address 0x%x, outside every buffer"
                                    .formatted(address));
        }
        return segment.get(ValueLayout.JAVA_BYTE, offset);
    }

    private String text(Exit.Call call, long address, int lane) {
        Space space = Addresses.spaceOf(address);
        java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
        for (int i = 0; i < LONGEST_TEXT; i++) {
            byte next = readByte(call, space, address + i, lane);
            if (next == 0) {
                break;
            }
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
