package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.SpecialRegister;
import dev.heddle.vm.state.Warp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where predefined registers stand in the context of a warp.
final class PredefinedRegisters {
    private static final SpecialRegister[] SHARED_BY_LANES = {
        SpecialRegister.NTID_X,
        SpecialRegister.NTID_Y,
        SpecialRegister.NTID_Z,
        SpecialRegister.CTAID_X,
        SpecialRegister.CTAID_Y,
        SpecialRegister.CTAID_Z,
        SpecialRegister.NCTAID_X,
        SpecialRegister.NCTAID_Y,
        SpecialRegister.NCTAID_Z
    };

    private static final SpecialRegister[] OF_LANES = {
        SpecialRegister.TID_X, SpecialRegister.TID_Y, SpecialRegister.TID_Z, SpecialRegister.LANEID
    };

    private PredefinedRegisters() {}

    /// Tells a context those of a warp.
    static void tell(WarpContext context, Warp warp) {
        for (SpecialRegister register : SHARED_BY_LANES) {
            context.setInt(placeOf(register), (int) warp.special().value(register, 0));
        }
        for (int i = 0; i < OF_LANES.length; i++) {
            MemorySegment.copy(
                    warp.special().lanes(OF_LANES[i]),
                    0,
                    context.bytes,
                    ValueLayout.JAVA_INT,
                    WarpContext.LANES + 128 * i,
                    32);
        }
    }

    /// Where a predefined register stands, or -1.
    static int placeOf(SpecialRegister register) {
        for (SpecialRegister uniform : SHARED_BY_LANES) {
            if (uniform == register) {
                return WarpContext.UNIFORM + 4 * register.ordinal();
            }
        }
        for (int i = 0; i < OF_LANES.length; i++) {
            if (OF_LANES[i] == register) {
                return WarpContext.LANES + 128 * i;
            }
        }
        return -1;
    }
}
