package dev.heddle.vm.lowering;

import dev.heddle.formats.Rounding;
import dev.heddle.ptx.Constant;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;

/// In which types operations work for those that an instruction names.
final class WorkingTypes {
    private WorkingTypes() {}

    /// The direction that an instruction names; to nearest even where it names none.
    static Rounding rounding(BoundInstruction form) {
        for (Rounding rounding : Rounding.values()) {
            if (form.has(rounding.ptxName())) {
                return rounding;
            }
        }
        return Rounding.NEAREST_EVEN;
    }

    static boolean isSigned(ScalarType type) {
        return type.kind() == ScalarType.Kind.SIGNED;
    }

    /// `.b32` or `.b64`: for what works without signs, 8 and 16 bits in 32.
    static ScalarType bits(ScalarType type) {
        return type.bits() == 64 ? ScalarType.B64 : ScalarType.B32;
    }

    /// `.s32`, `.u32`, `.s64` or `.u64`: for integers, 8 and 16 bits in 32.
    static ScalarType integer(ScalarType type) {
        if (isSigned(type)) {
            return type.bits() == 64 ? ScalarType.S64 : ScalarType.S32;
        }
        return type.bits() == 64 ? ScalarType.U64 : ScalarType.U32;
    }

    /// The type of half a packed one; any other type is itself.
    static ScalarType half(ScalarType type) {
        return switch (type) {
            case F16X2 -> ScalarType.F16;
            case BF16X2 -> ScalarType.BF16;
            case F32X2 -> ScalarType.F32;
            default -> type;
        };
    }

    /// The bits of a constant as a value of this type: one in the other precision is converted.
    static long bits(Constant value, ScalarType type) {
        return switch (value) {
            case Constant.IntegerConstant(long integer, _) -> integer;
            case Constant.SingleConstant(int raw) ->
                    type == ScalarType.F64
                            ? Double.doubleToRawLongBits(Float.intBitsToFloat(raw))
                            : raw & 0xffff_ffffL;
            case Constant.DoubleConstant(long raw) ->
                    type == ScalarType.F32
                            ? Float.floatToRawIntBits((float) Double.longBitsToDouble(raw))
                            : raw;
        };
    }

    /// A constant as an instruction of this type reads it.
    static Source constant(Constant value, ScalarType type) {
        long bits = bits(value, type);
        return switch (CodeBuilder.widthOf(type)) {
            case PREDICATE -> Source.predicate(bits != 0);
            case WORD ->
                    new Source.Constant(
                            Width.WORD, type.bits() == 16 ? bits & 0xffff : bits & 0xffff_ffffL);
            case LONG -> Source.longword(bits);
        };
    }
}
