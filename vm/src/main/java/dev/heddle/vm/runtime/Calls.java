package dev.heddle.vm.runtime;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.sanitizer.HostReads;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Grid;
import dev.heddle.vm.state.Warp;

import java.util.List;

/// Calls and returns: new frames, arguments, results, and the functions that the machine
/// provides.
public record Calls(Warp warp, Builtins builtins) {
    private static final int LEAST_FRAME = 16;

    public Calls(Warp warp, HostReads host) {
        this(warp, new Builtins(warp, host));
    }

    public void call(Frame frame, Exit.Call call, int mask) {
        int lanes = frame.where(call.guard(), mask);
        if (lanes != mask) {
            frame.park(call.next(), mask & ~lanes);
        }
        if (lanes == 0) {
            return;
        }
        if (call.builtin() != null) {
            warp.changed();
            builtins.call(frame, call, call.builtin(), lanes);
            frame.park(call.next(), lanes);
        } else if (call.address() == null) {
            enter(frame, call, call.callee(), lanes);
        } else {
            indirect(frame, call, call.address(), lanes);
        }
    }

    private void indirect(Frame frame, Exit.Call call, Source address, int lanes) {
        int left = lanes;
        List<Code> codes = warp.cta().grid().program().codes();
        while (left != 0) {
            long target = frame.value(address, Integer.numberOfTrailingZeros(left));
            int same = 0;
            for (int lane = 0; lane < 32; lane++) {
                if ((left >>> lane & 1) != 0 && frame.value(address, lane) == target) {
                    same |= 1 << lane;
                }
            }
            long index = Addresses.codeAt(target);
            if (index < 0 || index >= codes.size() || !codes.get((int) index).isLowered()) {
                throw warp.faults()
                        .undefined(
                                Rule.CALL_OF_NO_FUNCTION,
                                call.site(),
                                same,
                                "call of address 0x%x, which is no function".formatted(target));
            }
            enter(frame, call, (int) index, same);
            left &= ~same;
        }
    }

    private void enter(Frame frame, Exit.Call call, int index, int lanes) {
        Code code = warp.cta().grid().program().codes().get(index);
        long end = frame.top() + code.frameBytes();
        takeRoom(call, code, end, lanes);
        Frame callee = new Frame(code, warp, call, frame);
        warp.reserveLocal(end);
        warp.local().forget(lanes, callee.base, code.frameBytes());
        callee.lanes = lanes;
        List<Exit.Argument> arguments = call.arguments();
        for (int i = 0; i < Math.min(arguments.size(), code.parameters().size()); i++) {
            pass(frame, arguments.get(i), callee, code.parameters().get(i), lanes);
        }
        warp.open(callee);
        callee.park(0, lanes);
    }

    /// @param end bytes of local memory that each lane has with its frame
    private void takeRoom(Exit.Call call, Code code, long end, int lanes) {
        int depth = warp.frames().size();
        // A frame without local memory takes some of a GPU's stack all the same.
        long limit = warp.cta().grid().localLimit();
        if (Math.max(end, (long) LEAST_FRAME * depth) > limit) {
            String message =
                    "the call of %s, %d calls deep, needs %d bytes of local memory per thread, the limit is %d"
                            .formatted(code.sourceName(), depth, end, limit);
            throw warp.faults().fault(Rule.MEMORY_LIMIT_REACHED, call.site(), lanes, message);
        }
        long bytes = Grid.activationBytes(code);
        if (!warp.cta().limits().takeMemory(bytes)) {
            long memory = warp.cta().limits().memoryBytes();
            String message =
                    "the call of %s needs more than the memory limit of %d bytes leaves, %d calls deep"
                            .formatted(code.sourceName(), memory, depth);
            throw warp.faults().fault(Rule.MEMORY_LIMIT_REACHED, call.site(), lanes, message);
        }
    }

    /// Copies an argument into the callee's parameter.
    private void pass(
            Frame from, Exit.Argument argument, Frame to, Code.Parameter parameter, int lanes) {
        if (parameter.register() == null) {
            warp.changed();
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            Register register = parameter.register();
            int bytes = Math.min(argument.bytes(), parameter.bytes());
            if (argument.value() instanceof Source.FrameAddress(long offset)) {
                if (register == null) {
                    warp.local()
                            .copy(lane, from.base + offset, to.base + parameter.offset(), bytes);
                } else {
                    to.set(register, lane, warp.local().read(lane, from.base + offset, bytes));
                    if (parameter.high() != null) {
                        long above = from.base + offset + 8;
                        to.set(parameter.high(), lane, warp.local().read(lane, above, 8));
                    }
                }
            } else {
                long value = from.value(argument.value(), lane);
                if (register == null) {
                    warp.local().write(lane, to.base + parameter.offset(), bytes, value);
                } else {
                    to.set(register, lane, value);
                }
            }
        }
    }

    /// Lanes return: to their caller, or, from the kernel, out.
    public void leave(Frame frame, int lanes) {
        if (lanes == 0) {
            return;
        }
        Frame caller = frame.caller;
        Exit.Call call = frame.call;
        if (caller == null || call == null) {
            warp.end(frame, lanes);
            return;
        }
        List<Code.Parameter> results = frame.code.results();
        for (int i = 0; i < Math.min(results.size(), call.results().size()); i++) {
            give(frame, results.get(i), caller, call.results().get(i), lanes);
        }
        warp.local().forget(lanes, frame.base, frame.code.frameBytes());
        caller.park(call.next(), lanes);
        warp.close(frame, lanes);
    }

    private void give(
            Frame from, Code.Parameter result, Frame to, Exit.Argument target, int lanes) {
        if (!(target.value() instanceof Register)) {
            warp.changed();
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int bytes = Math.min(result.bytes(), target.bytes());
            Register register = result.register();
            if (register == null && target.value() instanceof Source.FrameAddress(long offset)) {
                warp.local().copy(lane, from.base + result.offset(), to.base + offset, bytes);
                continue;
            }
            long value =
                    register == null
                            ? warp.local().read(lane, from.base + result.offset(), bytes)
                            : from.value(register, lane);
            if (target.value() instanceof Register named) {
                to.set(named, lane, value);
            } else if (target.value() instanceof Source.FrameAddress(long offset)) {
                warp.local().write(lane, to.base + offset, bytes, value);
                if (result.high() != null) {
                    long above = from.value(result.high(), lane);
                    warp.local().write(lane, to.base + offset + 8, 8, above);
                }
            }
        }
    }
}
