package dev.heddle.ptx.check;

import dev.heddle.formats.Counted;
import dev.heddle.isa.Requirement;
import dev.heddle.ptx.Constant.IntegerConstant;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionForm.OperandForm;
import dev.heddle.ptx.instruction.InstructionForm.Presence;
import dev.heddle.ptx.instruction.InstructionForm.Registers;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.Selector;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Checks the operands of one instruction against one form.
final class OperandChecker {

    private final Instruction instruction;
    private final @Nullable FormMatch binding;
    private final SymbolScope names;
    private final List<Problem> problems = new ArrayList<>();
    private Registers registers = Registers.FAMILY_OR_PAIR;
    private boolean mixes = true;

    OperandChecker(Instruction instruction, @Nullable FormMatch binding, SymbolScope names) {
        this.instruction = instruction;
        this.binding = binding;
        this.names = names;
    }

    /// Which instruction of the manual it is; null where its form is not known.
    @Nullable InstructionKind kind() {
        return binding == null ? null : binding.form().kind();
    }

    /// Reports unknown names alone, for instructions whose form is not known.
    void namesOnly(Reporter reporter) {
        for (Operand operand : instruction.operands()) {
            known(operand);
        }
        problems.forEach(problem -> reporter.report(problem, ""));
    }

    List<Problem> problems() {
        if (binding == null) {
            return List.of();
        }
        List<Operand> operands = instruction.operands();
        List<OperandForm> places = binding.places(operands.size());
        if (places.size() != operands.size()) {
            count(binding);
        }
        for (int i = 0; i < operands.size(); i++) {
            if (i < places.size() && places.size() == operands.size()) {
                operand(places.get(i), operands.get(i), binding);
            } else {
                known(operands.get(i));
            }
        }
        return problems;
    }

    private void count(FormMatch filled) {
        int least = 0;
        int most = 0;
        StringBuilder words = new StringBuilder();
        for (OperandForm form : filled.form().operands()) {
            if (!filled.stands(form)) {
                continue;
            }
            boolean optional = form.presence() == Presence.OPTIONAL;
            least += optional ? 0 : 1;
            most++;
            words.append(words.isEmpty() ? "" : ", ")
                    .append(form.kind() == Kind.ADDRESS ? "[" + form.name() + "]" : form.name())
                    .append(optional ? "?" : "");
        }
        int found = instruction.operands().size();
        String takes = (least == most ? "" : least + " to ") + most;
        mismatch(
                "wrong-operand-count",
                instruction,
                Counted.of(found, "operand"),
                most == 0 ? takes : takes + ": " + words,
                found > most
                        ? "leave the surplus out"
                        : filled.form().operands().getFirst().isDestination()
                                ? "write all of them, the destination first"
                                : "write all of them, in this order");
    }

    private void operand(OperandForm place, Operand operand, FormMatch filled) {
        switch (operand) {
            case Operand.Pair pair -> pair(place, pair, filled);
            case Operand.Address _, Operand.AddressList _, Operand.Element _ -> {
                if (place.kind() == Kind.ADDRESS) {
                    new AddressChecker(instruction, filled, names, problems).check(place, operand);
                } else if (!place.type().equals("any")) {
                    known(operand);
                    expected(place, operand);
                }
            }
            default -> {
                if (place.kind() == Kind.ADDRESS) {
                    known(operand);
                    mismatch("wrong-operand-kind.address", operand);
                } else if (place.second() != null && !place.second().optional()) {
                    mismatch("wrong-operand-kind.pair", operand);
                } else {
                    value(place, operand, filled);
                }
            }
        }
    }

    private void pair(OperandForm place, Operand.Pair pair, FormMatch filled) {
        if (place.second() == null) {
            mismatch("wrong-operand-kind.second", pair, instruction, pair.second());
            return;
        }
        value(place, pair.first(), filled);
        typed(ScalarType.PRED, false, true, pair.second());
    }

    private void value(OperandForm place, Operand given, FormMatch filled) {
        Operand operand =
                place.negatable()
                                && given instanceof Operand.Negated(char operator, Operand inner, _)
                                && operator == '-'
                        ? inner
                        : given;
        Selector selector = place.selector();
        if (selector != null) {
            part(place, selector, operand, filled);
            return;
        }
        switch (place.type()) {
            case "any" -> known(operand);
            case "label" -> label(operand);
            case "targets" -> targets(operand);
            case "mov" -> new MoveChecker(this, filled).source(operand);
            case "variable" -> {
                if (operand instanceof Operand.Symbol symbol && symbol.variable() != null) {
                    new AddressChecker(instruction, filled, names, problems)
                            .space(symbol, symbol, filled.space());
                } else {
                    scalar(place, operand, filled);
                }
            }
            case "address" -> new TypeChecker(this, registers).integerRegister(operand);
            case "source" -> {
                if (!(operand instanceof Operand.Register register
                        && register.declaration() != null
                        && register.declaration().type() == ScalarType.PRED)) {
                    typed(ScalarType.U32, false, false, operand);
                }
            }
            default -> scalar(place, operand, filled);
        }
    }

    private void scalar(OperandForm place, Operand operand, FormMatch filled) {
        registers = place.registers();
        mixes = mixes(place, filled);
        ScalarType type = filled.typeOf(place);
        if (place.kind() == Kind.CONSTANT) {
            constant(place, operand, type);
            return;
        }
        int vector = !place.vector() ? 1 : place.count() > 0 ? place.count() : filled.vector();
        InstructionKind kind = filled.form().kind();
        boolean rows = kind == InstructionKind.LOAD_MATRIX || kind == InstructionKind.STORE_MATRIX;
        boolean braces = place.count() > 0 || place.vector() && rows;
        boolean destination = place.isDestination();
        if (operand instanceof Operand.Sink sink && !place.sink()) {
            mismatch("sink-not-allowed", sink, instruction);
        } else if (type == null) {
            known(operand);
        } else if (vector == 1
                && place.name().equals("d")
                && (operand instanceof Operand.Vector
                        || operand instanceof Operand.Register register && register.isWhole())
                && kind == InstructionKind.MOVE) {
            new MoveChecker(this, filled).destination(operand);
        } else if (vector == 1 && !braces && place.vector() && isOfOne(operand)) {
            Operand only = ((Operand.Vector) operand).elements().getFirst();
            typed(type, place.relaxed(), destination, only);
        } else if (vector > 1 || braces || operand instanceof Operand.Vector) {
            new VectorChecker(this, instruction)
                    .check(type, place.relaxed(), vector, braces, destination, operand);
        } else {
            typed(type, place.relaxed(), destination, operand);
        }
    }

    private void constant(OperandForm place, Operand operand, @Nullable ScalarType type) {
        if (!(operand instanceof Operand.Immediate)) {
            known(operand);
            expected(place, operand);
        } else if (!place.type().isEmpty() && Character.isDigit(place.type().charAt(0))) {
            exactly(place.type(), operand);
        } else if (type != null) {
            typed(type, false, false, operand);
        }
    }

    /// A vector of one register or constant, which loads and stores take for it. A sink in it has
    /// no type.
    private static boolean isOfOne(Operand operand) {
        return operand instanceof Operand.Vector(List<Operand> elements, _)
                && elements.size() == 1
                && !(elements.getFirst() instanceof Operand.Sink);
    }

    /// A register with the parts of it that a video instruction takes.
    private void part(OperandForm place, Selector selector, Operand operand, FormMatch filled) {
        if (!(operand instanceof Operand.Register register)) {
            if (selector.isRegister()) {
                known(operand);
                mismatch("wrong-operand-kind.register", operand, "mov it into a register first");
            } else {
                scalar(place, operand, filled);
            }
            return;
        }
        String given = register.component();
        if (given == null || register.declaration() == null) {
            scalar(place, operand, filled);
        } else if (selector.accepts(given)) {
            scalar(
                    place,
                    new Operand.Register(
                            register.name(), null, register.declaration(), register.position()),
                    filled);
        } else {
            mismatch(
                    "wrong-video-selector",
                    operand,
                    given,
                    place.name(),
                    selector.examples().length == 0
                            ? "leave it out"
                            : "write for example ." + selector.examples()[0]);
        }
    }

    private void exactly(String value, Operand operand) {
        boolean same =
                operand instanceof Operand.Immediate(IntegerConstant(long given, _), _)
                        && given == Long.parseLong(value);
        if (!same) {
            mismatch("constant-out-of-range.only", operand, value);
        }
    }

    /// Checks one register or constant against a type.
    void typed(ScalarType type, boolean relaxed, boolean destination, Operand operand) {
        new TypeChecker(this, registers).check(type, relaxed, destination, operand);
    }

    private void label(Operand operand) {
        if (!(operand instanceof Operand.Symbol symbol)) {
            known(operand);
            mismatch("not-a-label", operand, operand);
        } else if (!(names.label(symbol.name()) instanceof Statement.Label)) {
            boolean other = symbol.variable() != null || names.isFunction(symbol.name());
            mismatch(other ? "not-a-label" : "unknown-label", symbol, symbol.name());
        }
    }

    private void targets(Operand operand) {
        if (!(operand instanceof Operand.Symbol symbol
                && names.label(symbol.name()) instanceof Statement.BranchTargets)) {
            mismatch("not-a-label.targets", operand);
        }
    }

    /// Whether every name in an operand is declared; reports those that are not.
    boolean known(Operand operand) {
        return new NameChecker(names, problems).known(operand);
    }

    private void expected(OperandForm place, Operand operand) {
        if (place.kind() == Kind.CONSTANT) {
            mismatch("wrong-operand-kind.constant", operand);
        } else {
            mismatch("wrong-operand-kind.register", operand, "load it into a register first");
        }
    }

    void mismatch(String wording, Object subject, Object... more) {
        problems.add(Problem.of(wording, subject, more));
    }

    /// Whether one untyped register among the elements of a vector makes all of them untyped: the
    /// assembler reads most vectors so. Before sm_80 it reads factors of `wmma.mma` otherwise.
    boolean mixesTypes() {
        return mixes;
    }

    private static boolean mixes(OperandForm place, FormMatch filled) {
        Requirement requirement = filled.form().requirement();
        boolean factorBefore80 =
                filled.form().kind() == InstructionKind.WMMA_MULTIPLY
                        && (place.name().equals("a") || place.name().equals("b"))
                        && requirement != null
                        && requirement.targets() instanceof Requirement.AtLeast(int number)
                        && number < 80;
        return place.registers() != Registers.EXACT && !factorBefore80;
    }

    /// What was found so far.
    List<Problem> collected() {
        return problems;
    }

    SymbolScope names() {
        return names;
    }

    Instruction instruction() {
        return instruction;
    }
}
