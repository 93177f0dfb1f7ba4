package dev.heddle.vm.compiler;

import dev.heddle.formats.Rounding;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.OperationKind;

import org.jspecify.annotations.Nullable;

/// The operator of the Vector API that an operation is.
///
/// @param name in `VectorOperators`, which calls its operators as [OperationKind] does
/// @param negated whether its result is negated: a comparison that holds for NaNs is the opposite
///     one, which does not
record LanewiseOperator(String name, boolean negated) {

    /// The operator of an operation, if it is one.
    static @Nullable LanewiseOperator of(Operation operation) {
        if (!operation.modifiers().isEmpty()
                || operation.rounding() != null && operation.rounding() != Rounding.NEAREST_EVEN) {
            return null;
        }
        OperationKind kind = operation.kind();
        return switch (operation.type()) {
            case B32, B64 ->
                    switch (kind) {
                        case ADD, SUB, MUL, AND, OR, XOR, NOT, NEG, ABS, EQ, NE -> named(kind);
                        default -> null;
                    };
            case S32, S64 -> isOrder(kind) ? named(kind) : null;
            case U32, U64 -> isOrder(kind) ? new LanewiseOperator("U" + kind, false) : null;
            case F32 ->
                    switch (kind) {
                        case SQRT, ABS, NEG -> named(kind);
                        default -> ofNumbers(kind);
                    };
            case F64 -> ofNumbers(kind);
            default -> null;
        };
    }

    private static LanewiseOperator named(OperationKind kind) {
        return new LanewiseOperator(kind.name(), false);
    }

    private static boolean isOrder(OperationKind kind) {
        return switch (kind) {
            case MIN, MAX, LT, LE, GT, GE -> true;
            default -> false;
        };
    }

    private static @Nullable LanewiseOperator ofNumbers(OperationKind kind) {
        return switch (kind) {
            case ADD, SUB, MUL, DIV, FMA, EQ, LT, LE, GT, GE -> named(kind);
            case NEU -> named(OperationKind.NE);
            case LTU -> new LanewiseOperator("GE", true);
            case LEU -> new LanewiseOperator("GT", true);
            case GTU -> new LanewiseOperator("LE", true);
            case GEU -> new LanewiseOperator("LT", true);
            default -> null;
        };
    }
}
