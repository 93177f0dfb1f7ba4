package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.DeviceRuntimeFunction;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.sanitizer.HostReads;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Limits;
import dev.heddle.vm.state.Warp;

/// The functions that a device provides without a body in the module: `vprintf`, `malloc`,
/// `free`, `__assertfail`, and those of the device runtime.
public record Builtins(Warp warp, HostReads host, DeviceRuntime runtime) {
    public Builtins(Warp warp, HostReads host) {
        this(warp, host, new DeviceRuntime(warp));
    }

    public void call(Frame frame, Exit.Call exit, String name, int lanes) {
        BuiltinCall call = new BuiltinCall(warp, frame, exit, host);
        DeviceRuntimeFunction function = DeviceRuntimeFunction.of(name);
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                call.give(
                        lane,
                        function == null
                                ? call(call, name, lane)
                                : runtime.call(call, function, lane));
            }
        }
    }

    private long call(BuiltinCall call, String name, int lane) {
        return switch (name) {
            case "vprintf" -> print(call, lane);
            case "malloc" -> allocate(warp, call.argument(0, lane));
            case "free" -> free(call, lane);
            default -> throw assertion(call, lane);
        };
    }

    private long print(BuiltinCall call, int lane) {
        String format = call.text(call.argument(0, lane), lane);
        long place = call.argument(1, lane);
        Printf printf =
                new Printf(
                        format,
                        BuiltinCall.LONGEST_TEXT,
                        (offset, bytes, used) -> call.read(place + offset, bytes, used, lane),
                        (address, most) -> call.text(address, most, lane));
        String text = printf.text();
        if (text.length() > BuiltinCall.LONGEST_TEXT || !warp.cta().limits().print(text.length())) {
            throw warp.faults()
                    .fault(
                            Rule.MEMORY_LIMIT_REACHED,
                            call.site(),
                            1 << lane,
                            "printf of more than %d characters at once, or %d in one launch"
                                    .formatted(BuiltinCall.LONGEST_TEXT, Limits.MOST_PRINTED));
        }
        warp.cta().output().append(text);
        return printf.arguments();
    }

    /// The address of so many bytes of the heap, or 0 where it is full.
    static long allocate(Warp warp, long bytes) {
        Buffer buffer = warp.cta().grid().global().allocateOnDevice(bytes);
        return buffer == null ? 0 : buffer.address();
    }

    /// `free`, of a null pointer, too.
    static long free(BuiltinCall call, int lane) {
        long address = call.argument(0, lane);
        if (address != 0 && !call.warp().cta().grid().global().free(address)) {
            throw call.warp()
                    .faults()
                    .undefined(
                            Rule.INVALID_FREE,
                            call.site(),
                            1 << lane,
                            "free of 0x%x, which malloc did not return or which is free already"
                                    .formatted(address));
        }
        return 0;
    }

    private RuntimeException assertion(BuiltinCall call, int lane) {
        return warp.faults()
                .fault(
                        Rule.ASSERTION_FAILED,
                        call.site(),
                        1 << lane,
                        "%s:%d: %s: assertion `%s` does not hold"
                                .formatted(
                                        call.text(call.argument(1, lane), lane),
                                        call.argument(2, lane),
                                        call.text(call.argument(3, lane), lane),
                                        call.text(call.argument(0, lane), lane)));
    }
}
