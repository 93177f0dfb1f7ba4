package dev.heddle.isa;

import dev.heddle.isa.RegisterType.Accepts;
import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Checks one operand of an instruction against that of its form.
///
/// @param index  of the operand; -1 for all of them together
/// @param broken what was found so far
record OperandRules(Form form, int index, List<Violation> broken) {
    private static final Pattern F32_CONSTANT = Pattern.compile("0[fF]\\p{XDigit}{8}");

    static List<Violation> broken(Form form, List<SourceOperand> written) {
        OperandRules all = new OperandRules(form, -1, new ArrayList<>());
        List<Operand> operands = form.operands();
        if (written.size() != operands.size()) {
            String names = String.join(", ", operands.stream().map(Operand::name).toList());
            String found = written.size() + " operands";
            all.add(Rule.WRONG_OPERAND_COUNT, found, operands.size() + ": " + names);
            return all.broken;
        }
        for (int i = 0; i < operands.size(); i++) {
            new OperandRules(form, i, all.broken).check(operands.get(i), written.get(i));
        }
        if (form.family() == Family.MMA_SP) {
            all.add(Rule.PREFER_ORDERED_METADATA, ".sp", ".sp::ordered_metadata from PTX 8.5 on");
        }
        return all.broken;
    }

    private void add(Rule rule, String found, String allowed) {
        String section =
                rule.section().equals("9.1") || rule == Rule.CONSTANT_OUT_OF_RANGE
                        ? form.family().section()
                        : rule.section();
        broken.add(new Violation(rule, index, found, allowed, section));
    }

    private void check(Operand operand, SourceOperand written) {
        // Linking a pattern switch would take longer than the whole check.
        if (operand instanceof Operand.Matrix matrix) {
            matrix(matrix, written);
        } else if (operand instanceof Operand.Descriptor descriptor) {
            register(descriptor.name(), Accepts.INTEGER_64, written, true);
        } else if (operand instanceof Operand.MetadataWord word) {
            register(word.name(), Accepts.ANY_32, single(written), false);
        } else if (operand instanceof Operand.ScaleData data) {
            register(data.name(), Accepts.ANY_32, single(written), false);
        } else if (operand instanceof Operand.ScaleD scaleD) {
            scaleD(scaleD, written);
        } else if (operand instanceof Operand.Selector selector) {
            selector(selector, written);
        } else if (operand instanceof Operand.Immediate immediate) {
            immediate(immediate, written);
        } else {
            scaleSelector((Operand.ScaleSelector) operand, written);
        }
    }

    private void matrix(Operand.Matrix matrix, SourceOperand written) {
        String name = "operand " + matrix.name();
        if (!(written instanceof SourceOperand.Vector vector)) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    name + " is " + written,
                    "a vector of " + matrix.description() + " in braces");
            return;
        }
        if (vector.elements().size() != matrix.registers()) {
            add(
                    Rule.WRONG_VECTOR_SIZE,
                    name + " has " + vector.elements().size() + " registers",
                    matrix.description());
            return;
        }
        // ptxas 13.0 takes constants beside registers, and `_` for some of what is written.
        boolean registers =
                vector.elements().stream().anyMatch(SourceOperand.Register.class::isInstance);
        for (SourceOperand element : vector.elements()) {
            boolean fits =
                    switch (element) {
                        case SourceOperand.Register _ -> true;
                        case SourceOperand.Sink _ -> registers && isWrittenAlone(matrix);
                        case SourceOperand.IntegerConstant _, SourceOperand.FloatConstant _ ->
                                registers
                                        ? !matrix.name().equals("d")
                                        : isConstantAddend(matrix, element);
                        default -> false;
                    };
            if (!fits) {
                add(
                        Rule.WRONG_OPERAND_KIND,
                        name + " has " + element,
                        "a " + matrix.accepts().declared() + " register");
                return;
            }
        }
        vectorType(matrix, vector.elements());
    }

    /// Whether an instruction writes the operand and does not read it: `d`, which `wgmma` adds to.
    private boolean isWrittenAlone(Operand.Matrix matrix) {
        return matrix.name().equals("d") && !form.family().warpgroup();
    }

    /// Checks the types of a vector's elements, as far as they are known: first that they agree,
    /// then that the vector's type is one that the operand takes.
    private void vectorType(Operand.Matrix matrix, List<SourceOperand> elements) {
        // Constants take after the registers.
        List<SourceOperand> ordered =
                elements.stream()
                        .sorted(Comparator.comparing(e -> !(e instanceof SourceOperand.Register)))
                        .toList();
        String allowed = "registers of one type, such as " + matrix.accepts().declared();
        Optional<RegisterType> type = Optional.empty();
        for (SourceOperand element : ordered) {
            Optional<RegisterType> joined = joined(type, element);
            if (type.isPresent() && joined.isEmpty()) {
                add(
                        Rule.MIXED_VECTOR_ELEMENTS,
                        "operand %s: %s beside %s"
                                .formatted(matrix.name(), described(element), type.get()),
                        allowed);
                return;
            }
            type = joined;
        }
        if (mixesConstants(elements)) {
            add(
                    Rule.MIXED_VECTOR_ELEMENTS,
                    "operand " + matrix.name() + " has constants of two kinds",
                    "constants of the registers' type");
            return;
        }
        type.filter(found -> !matrix.accepts().accepts(found))
                .ifPresent(
                        found -> {
                            SourceOperand first = elements.getFirst();
                            registerType(matrix.name(), first.toString(), found, matrix.accepts());
                        });
    }

    /// The type of a vector with one more element; none where types disagree, or none is known yet.
    private static Optional<RegisterType> joined(
            Optional<RegisterType> type, SourceOperand element) {
        Optional<RegisterType> next = type(element);
        if (type.isEmpty()) {
            return next;
        }
        return switch (element) {
            case SourceOperand.IntegerConstant _ -> type.get().withInteger();
            case SourceOperand.FloatConstant _ -> type.get().withFloat(next.orElseThrow());
            default -> next.isEmpty() ? type : type.get().joined(next.get());
        };
    }

    /// Whether integers are beside floating-point constants, or any of them beside `.f16x2`.
    private static boolean mixesConstants(List<SourceOperand> elements) {
        boolean integers =
                elements.stream().anyMatch(SourceOperand.IntegerConstant.class::isInstance);
        boolean floats = elements.stream().anyMatch(SourceOperand.FloatConstant.class::isInstance);
        Optional<RegisterType> packed = Optional.of(RegisterType.F16X2);
        return integers && floats
                || (integers || floats)
                        && elements.stream().map(OperandRules::type).anyMatch(packed::equals);
    }

    private static String described(SourceOperand element) {
        return element instanceof SourceOperand.Register register && register.type().isPresent()
                ? element + " is " + register.type().get()
                : "the constant " + element;
    }

    private void registerType(String name, String register, RegisterType found, Accepts accepts) {
        add(
                Rule.WRONG_OPERAND_TYPE,
                "operand " + name + ": " + register + " is " + found,
                String.join(", ", accepts.all().stream().map(Object::toString).toList()));
    }

    /// The assembler takes constants alone in the vector of C where the registers are not packed.
    private static boolean isConstantAddend(Operand.Matrix matrix, SourceOperand element) {
        if (!matrix.name().equals("c")) {
            return false;
        }
        return switch (matrix.accepts()) {
            case FLOAT_32, ANY_32_FLOAT -> type(element).equals(Optional.of(RegisterType.F32));
            case ANY_64 -> type(element).equals(Optional.of(RegisterType.F64));
            case INTEGER_32 -> element instanceof SourceOperand.IntegerConstant;
            default -> false;
        };
    }

    /// The type of a register, as far as it is known, or of a floating-point constant.
    private static Optional<RegisterType> type(SourceOperand element) {
        if (element instanceof SourceOperand.Register register) {
            return register.type();
        }
        if (element instanceof SourceOperand.FloatConstant(String text)) {
            return Optional.of(
                    F32_CONSTANT.matcher(text).matches() ? RegisterType.F32 : RegisterType.F64);
        }
        return Optional.empty();
    }

    private void register(
            String name, Accepts accepts, SourceOperand written, boolean constantToo) {
        boolean constant = written instanceof SourceOperand.IntegerConstant && constantToo;
        if (written instanceof SourceOperand.Register register) {
            register.type()
                    .filter(type -> !accepts.accepts(type))
                    .ifPresent(type -> registerType(name, register.toString(), type, accepts));
        } else if (!constant) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    "operand " + name + " has " + written,
                    "a " + accepts.declared() + " register");
        }
    }

    /// A vector of one register passes for the register.
    private static SourceOperand single(SourceOperand written) {
        return written instanceof SourceOperand.Vector vector && vector.elements().size() == 1
                ? vector.elements().getFirst()
                : written;
    }

    private void scaleD(Operand.ScaleD scaleD, SourceOperand written) {
        if (!(written instanceof SourceOperand.IntegerConstant(long value))) {
            register(scaleD.name(), Accepts.PREDICATE, written, false);
        } else if (value != 0 && value != 1) {
            add(Rule.CONSTANT_OUT_OF_RANGE, scaleD.name() + " = " + value, "a predicate, 0 or 1");
        }
    }

    private void selector(Operand.Selector selector, SourceOperand written) {
        String name = "sparsity selector " + selector.name();
        if (!(written instanceof SourceOperand.IntegerConstant(long value))) {
            add(Rule.WRONG_OPERAND_KIND, name + " is " + written, "an integer constant");
        } else if (!contains(selector.accepted(), value)) {
            add(Rule.SELECTOR_OUT_OF_RANGE, name + " = " + value, choices(selector.legal()));
        } else if (!contains(selector.legal(), value)) {
            add(
                    Rule.SELECTOR_NAMES_NO_THREAD_PAIR,
                    name + " = " + value,
                    "0 (threads T0, T1) or 1 (threads T2, T3)");
        }
    }

    private void immediate(Operand.Immediate immediate, SourceOperand written) {
        if (!(written instanceof SourceOperand.IntegerConstant(long value))) {
            add(
                    Rule.WRONG_OPERAND_KIND,
                    "operand " + immediate.name() + " is " + written,
                    "an integer constant");
        } else if (!contains(immediate.legal(), value)) {
            add(
                    Rule.CONSTANT_OUT_OF_RANGE,
                    immediate.name() + " = " + value,
                    choices(immediate.legal()));
        }
    }

    private void scaleSelector(Operand.ScaleSelector selector, SourceOperand written) {
        if (!(written instanceof SourceOperand.Vector vector) || vector.elements().size() != 2) {
            add(Rule.WRONG_OPERAND_KIND, written.toString(), "a pair " + selector.name());
            return;
        }
        String[] names = selector.name().replaceAll("[{} ]", "").split(",", -1);
        scaleId(names[0], Rule.BYTE_ID_OUT_OF_RANGE, selector.byteIds(), vector.elements().get(0));
        scaleId(
                names[1],
                Rule.THREAD_ID_OUT_OF_RANGE,
                selector.threadIds(),
                vector.elements().get(1));
    }

    private void scaleId(String name, Rule rule, List<Integer> legal, SourceOperand written) {
        if (!(written instanceof SourceOperand.IntegerConstant(long value))) {
            register(name, Accepts.INTEGER_16, written, false);
        } else if (!contains(legal, value)) {
            add(rule, name + " = " + value, choices(legal));
        }
    }

    private static boolean contains(List<Integer> values, long value) {
        return values.stream().anyMatch(legal -> legal == value);
    }

    private static String choices(List<Integer> values) {
        return String.join(" or ", values.stream().map(String::valueOf).toList());
    }
}
