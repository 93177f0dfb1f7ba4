package dev.heddle.isa;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.RegisterType.Accepts;

/// Which registers a matrix operand takes: the manual's type, and what the assembler lets pass for
/// it.
final class Registers {
    /// The shape of s8 and u8 that came with sm_75; its registers are checked as integers.
    private static final Shape BYTES_OF_TURING = new Shape(8, 8, 16);

    private Registers() {}

    static Accepts of(Form form, Role role) {
        Format format = form.type(role);
        if (format == FloatFormat.F64) {
            return Accepts.ANY_64;
        }
        if (format == FloatFormat.F16) {
            return Accepts.PACKED_F16;
        }
        return role == Role.C || role == Role.D
                ? accumulator(form, format)
                : multiplicand(form, format);
    }

    private static Accepts accumulator(Form form, Format format) {
        if (format == IntegerFormat.S32) {
            return Accepts.INTEGER_32;
        }
        boolean wideSparse = form.sparse() && form.type(Role.A).bits() >= 16;
        return wideSparse && !form.family().warpgroup() ? Accepts.ANY_32_FLOAT : Accepts.FLOAT_32;
    }

    private static Accepts multiplicand(Form form, Format format) {
        if (form.family().warpgroup()) {
            return format instanceof FloatFormat ? Accepts.PACKED_B32 : Accepts.ANY_32;
        }
        boolean wide = format == FloatFormat.BF16 || format == FloatFormat.TF32;
        if (form.blockScaled() || (wide && !form.sparse())) {
            return Accepts.B32_ONLY;
        }
        return form.shape().equals(BYTES_OF_TURING) ? Accepts.INTEGER_32 : Accepts.ANY_32;
    }
}
