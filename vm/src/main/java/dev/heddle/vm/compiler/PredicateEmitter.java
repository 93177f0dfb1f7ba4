package dev.heddle.vm.compiler;

import dev.heddle.tensorcore.x86.Assembler;
import dev.heddle.tensorcore.x86.Assembler.Arithmetic;
import dev.heddle.tensorcore.x86.Evex;
import dev.heddle.tensorcore.x86.Operand;
import dev.heddle.vm.ir.Carrier;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.semantics.SemanticMethod;

import java.util.List;
import java.util.Map;

/// Comparisons, logic of predicates and what predicates choose, as machine code.
final class PredicateEmitter {
    private static final int ORDERED_LESS = 0x11;
    private static final int UNORDERED = 3;
    private static final int GREATER_OR_EQUAL = 0x1d;

    /// The constants by which compare instructions know what is asked.
    private static final Map<String, Integer> COMPARISONS =
            Map.ofEntries(
                    Map.entry("equal", 0),
                    Map.entry("less", 1),
                    Map.entry("lessOrEqual", 2),
                    Map.entry("notEqual", 4),
                    Map.entry("greaterOrEqual", 5),
                    Map.entry("greater", 6));

    private static final Map<String, Integer> FLOAT_COMPARISONS =
            Map.ofEntries(
                    Map.entry("equal", 0),
                    Map.entry("less", ORDERED_LESS),
                    Map.entry("lessOrEqual", 0x12),
                    Map.entry("unordered", UNORDERED),
                    Map.entry("notEqualOrUnordered", 4),
                    Map.entry("ordered", 7),
                    Map.entry("equalOrUnordered", 8),
                    Map.entry("notEqual", 0x0c),
                    Map.entry("greaterOrEqual", GREATER_OR_EQUAL),
                    Map.entry("greater", 0x1e),
                    Map.entry("greaterOrEqualOrUnordered", 0x15),
                    Map.entry("greaterOrUnordered", 0x16),
                    Map.entry("lessOrUnordered", 0x19),
                    Map.entry("lessOrEqualOrUnordered", 0x1a));

    private final WarpValues values;
    private final Assembler code;

    PredicateEmitter(WarpValues values) {
        this.values = values;
        code = values.code;
    }

    /// Whether an operation with a predicate as result is known here.
    static boolean knows(Step.Compute step) {
        return comparison(step) >= 0 || isLogic(SemanticMethod.of(step.operation()).name());
    }

    private static boolean isLogic(String name) {
        return switch (name) {
            case "andPredicate", "orPredicate", "xorPredicate", "notPredicate", "movePredicate" ->
                    true;
            default -> false;
        };
    }

    /// The constant of a comparison, or -1.
    private static int comparison(Step.Compute step) {
        String name = SemanticMethod.of(step.operation()).name();
        Carrier carrier = step.operation().parameters().getFirst();
        boolean isFloat = carrier == Carrier.FLOAT || carrier == Carrier.DOUBLE;
        String suffix =
                switch (carrier) {
                    case FLOAT -> "F32";
                    case DOUBLE -> "F64";
                    case INT -> name.endsWith("U32") ? "U32" : name.endsWith("S32") ? "S32" : "32";
                    case LONG -> name.endsWith("U64") ? "U64" : name.endsWith("S64") ? "S64" : "64";
                    case BOOLEAN -> "Predicate";
                };
        if (!name.endsWith(suffix)) {
            return -1;
        }
        String stem = name.substring(0, name.length() - suffix.length());
        return (isFloat ? FLOAT_COMPARISONS : COMPARISONS).getOrDefault(stem, -1);
    }

    /// Emits a step whose result is a predicate.
    void emit(Step.Compute step, String name) {
        if (isLogic(name)) {
            logic(name, step);
        } else {
            compare(step, name);
        }
    }

    private void logic(String name, Step.Compute step) {
        List<Source> sources = step.arguments();
        if (sources.size() > 1) {
            values.lanes(sources.get(1));
            code.move(Assembler.R13, Operand.register(Assembler.RAX));
        }
        values.lanes(sources.getFirst());
        Operand other = Operand.register(Assembler.R13);
        switch (name) {
            case "andPredicate" -> code.arithmetic(Arithmetic.AND, Assembler.RAX, other);
            case "orPredicate" -> code.arithmetic(Arithmetic.OR, Assembler.RAX, other);
            case "xorPredicate" -> code.arithmetic(Arithmetic.XOR, Assembler.RAX, other);
            case "notPredicate" -> code.not(Assembler.RAX);
            default -> {}
        }
        values.mergePredicate(step.target(), step.guard());
    }

    private void compare(Step.Compute step, String name) {
        int constant = comparison(step);
        Carrier carrier = step.operation().parameters().getFirst();
        boolean unsigned = name.endsWith("U32") || name.endsWith("U64");
        Evex instruction =
                switch (carrier) {
                    case FLOAT -> Evex.VCMPPS;
                    case DOUBLE -> Evex.VCMPPD;
                    case INT -> unsigned ? Evex.VPCMPUD : Evex.VPCMPD;
                    default -> unsigned ? Evex.VPCMPUQ : Evex.VPCMPQ;
                };
        if (carrier.width() == Width.WORD) {
            compare(instruction, step, 0, 5, constant);
            compare(instruction, step, 1, 6, constant);
            values.joinWords();
        } else {
            compare(instruction, step, 0, 5, constant);
            compare(instruction, step, 1, 6, constant);
            values.joinLongs(5, 5, 6);
            compare(instruction, step, 2, 6, constant);
            compare(instruction, step, 3, 7, constant);
            values.joinLongs(6, 6, 7);
            values.joinWords();
        }
        values.keepPredicate(step.target(), step.guard(), 5);
    }

    private void compare(Evex instruction, Step.Compute step, int chunk, int mask, int constant) {
        int first = values.load(step.arguments().getFirst(), chunk, WarpValues.FIRST);
        code.vector(
                instruction, mask, first, values.operand(step.arguments().get(1), chunk), constant);
    }

    /// Emits a step that chooses by a predicate.
    void select(Step.Compute step, String name) {
        values.guard(step.guard());
        boolean ones = name.equals("onesWhere32");
        Register target = step.target();
        boolean isLong = target.width() == Width.LONG;
        for (int chunk = 0; chunk < WarpValues.chunks(target.width()); chunk++) {
            int made = values.result(target, chunk, step.guard());
            values.lanes(step.arguments().getFirst());
            code.maskFrom(5, Assembler.RAX);
            if (chunk > 0) {
                code.maskShiftRight(5, 5, (isLong ? 8 : 16) * chunk);
            }
            if (ones) {
                code.vector(Evex.VPMOVM2D, made, 0, Operand.register(5));
            } else {
                int otherwise = values.load(step.arguments().get(2), chunk, WarpValues.FIRST);
                code.vectorWhere(
                        isLong ? Evex.VPBLENDMQ : Evex.VPBLENDMD,
                        5,
                        made,
                        otherwise,
                        values.operand(step.arguments().get(1), chunk));
            }
            values.keep(target, chunk, step.guard(), made);
        }
    }
}
