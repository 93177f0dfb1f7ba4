package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.InstructionKind;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Decides which values differ for certain between the lanes of a warp.
///
/// Only what must differ counts: `%tid.x >> 5` is the same in all lanes, `%tid.x < 64` splits no
/// warp, and what a load brings is unknown. Registers with several definitions are unknown too.
record LaneDependence(Writes writes) {
    private static final int DEEPEST = 24;

    /// A value that rises by one every `group` lanes.
    ///
    /// @param group lanes in a row that share the value, a power of two below 32
    /// @param exact whether it is the lane's own number over `group`, nothing added
    private record Lane(int group, boolean exact) {}

    /// Whether a predicate is true in some lanes of a warp and false in others, in some warp.
    boolean splits(Operand predicate) {
        return splits(predicate, 0);
    }

    private boolean splits(Operand predicate, int depth) {
        BoundInstruction definition = writes.definition(predicate);
        if (definition == null || definition.guard() != null || depth > DEEPEST) {
            return false;
        }
        List<Operand> operands = definition.operands();
        return switch (definition.kind()) {
            case NOT, MOVE -> operands.size() == 2 && splits(operands.get(1), depth + 1);
            case SET_PREDICATE -> operands.size() == 3 && compares(definition, depth);
            case ELECT -> true;
            default -> false;
        };
    }

    private boolean compares(BoundInstruction setp, int depth) {
        Operand a = setp.operands().get(1);
        Operand b = setp.operands().get(2);
        Lane lane = lane(a, depth + 1);
        Operand other = b;
        boolean laneFirst = lane != null;
        if (lane == null) {
            lane = lane(b, depth + 1);
            other = a;
        }
        if (lane == null || lane(other, depth + 1) != null) {
            return false;
        }
        if (setp.has("eq") || setp.has("ne")) {
            return constant(other) != null || !mayVary(other, depth + 1);
        }
        Long bound = constant(other);
        if (bound == null || !lane.exact()) {
            return false;
        }
        boolean closed = setp.has("le") || setp.has("ls") || setp.has("gt") || setp.has("hi");
        long threads = (bound + (closed == laneFirst ? 1 : 0)) * lane.group();
        return threads > 0 && threads < 1024 && threads % 32 != 0;
    }

    /// Whether an operand may itself differ between lanes in a way that cannot be seen.
    private boolean mayVary(Operand operand, int depth) {
        if (constant(operand) != null) {
            return false;
        }
        BoundInstruction definition = writes.definition(operand);
        if (definition == null || depth > DEEPEST) {
            return true;
        }
        if (definition.kind() == InstructionKind.MOVE
                && definition.operands().get(1) instanceof Operand.SpecialRegister special) {
            return special.name().contains("tid")
                    && !special.name().contains("ctaid")
                    && !special.name().equals("%ntid");
        }
        return !(definition.kind() == InstructionKind.LOAD && definition.has("param"));
    }

    private @Nullable Lane lane(Operand operand, int depth) {
        BoundInstruction definition = writes.definition(operand);
        if (definition == null || definition.guard() != null || depth > DEEPEST) {
            return null;
        }
        List<Operand> operands = definition.operands();
        return switch (definition.kind()) {
            case MOVE, CONVERT -> {
                if (operands.size() == 2
                        && operands.get(1) instanceof Operand.SpecialRegister special) {
                    boolean seed =
                            special.name().equals("%laneid")
                                    || (special.name().equals("%tid")
                                            && "x".equals(special.component()));
                    yield seed ? new Lane(1, true) : null;
                }
                yield operands.size() == 2 ? lane(operands.get(1), depth + 1) : null;
            }
            case AND -> masked(operands, depth);
            case SHIFT_RIGHT -> shifted(operands, depth);
            case INTEGER_ADD -> {
                Lane left = lane(operands.get(1), depth + 1);
                yield left != null && !mayVary(operands.get(2), depth + 1)
                        ? new Lane(left.group(), false)
                        : null;
            }
            default -> null;
        };
    }

    private @Nullable Lane masked(List<Operand> operands, int depth) {
        Lane lane = lane(operands.get(1), depth + 1);
        Long mask = constant(operands.get(2));
        if (lane == null || mask == null || !lane.exact() || lane.group() != 1) {
            return null;
        }
        return (mask & 31) != 0 && ((mask + 1) & mask) == 0 ? lane : null;
    }

    private @Nullable Lane shifted(List<Operand> operands, int depth) {
        Lane lane = lane(operands.get(1), depth + 1);
        Long shift = constant(operands.get(2));
        if (lane == null || shift == null || !lane.exact() || shift < 0 || shift > 4) {
            return null;
        }
        int group = lane.group() << shift;
        return group < 32 ? new Lane(group, true) : null;
    }

    private static @Nullable Long constant(Operand operand) {
        return operand instanceof Operand.Immediate(IntegerConstant(long value, _), _)
                ? value
                : null;
    }
}
