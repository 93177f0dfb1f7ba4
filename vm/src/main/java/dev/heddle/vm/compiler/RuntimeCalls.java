package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.state.Frame;

/// What compiled code calls for everything that is not a loop over lanes.
final class RuntimeCalls {
    private static final SpecialRegister[] SPECIAL = SpecialRegister.values();

    private RuntimeCalls() {}

    static void step(Frame frame, Step step, int mask) {
        frame.warp.units().step(frame, step, mask);
    }

    static void load(Frame frame, Step.Load step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        if (lanes != 0) {
            frame.warp.units().load(frame, step, lanes);
        }
    }

    static void store(Frame frame, Step.Store step, int mask) {
        int lanes = frame.where(step.guard(), mask);
        if (lanes != 0) {
            frame.warp.units().store(frame, step, lanes);
        }
    }

    static void leave(Frame frame, Exit exit, int mask) {
        frame.warp.units().leave(frame, exit, mask);
    }

    static int special(Frame frame, int register) {
        return (int) frame.warp.special().value(SPECIAL[register], 0);
    }

    static int[] lanes(Frame frame, int register) {
        return frame.warp.special().lanes(SPECIAL[register]);
    }

    static int parameter32(Frame frame, long offset) {
        return frame.warp.parameter32(offset);
    }

    static long parameter64(Frame frame, long offset) {
        return frame.warp.parameter64(offset);
    }
}
