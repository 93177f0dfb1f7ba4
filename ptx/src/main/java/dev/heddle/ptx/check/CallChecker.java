package dev.heddle.ptx.check;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.Signature;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Checks calls against the signatures they name (PTX ISA 9.7.12.5).
record CallChecker(SymbolScope names, Reporter reporter) {
    private static final String SECTION = "9.7.12.5";

    private void qualifiers(Instruction call) {
        for (String qualifier : call.qualifiers()) {
            if (!qualifier.equals("uni")) {
                report("qualifier-not-allowed.call", call, qualifier);
            }
        }
    }

    /// Takes a list in parentheses from the front, where there is one.
    private static List<Operand> list(List<Operand> operands) {
        if (!operands.isEmpty()
                && operands.getFirst() instanceof Operand.Arguments(List<Operand> list, _)) {
            operands.removeFirst();
            return list;
        }
        return List.of();
    }

    void check(Instruction call) {
        qualifiers(call);
        List<Operand> operands = new ArrayList<>(call.operands());
        List<Operand> results = list(operands);
        if (operands.isEmpty()) {
            report("wrong-operand-count.callee", call);
            return;
        }
        Operand callee = operands.removeFirst();
        List<Operand> arguments = list(operands);
        List<Problem> problems = new ArrayList<>();
        NameChecker known = new NameChecker(names, problems);
        results.forEach(known::known);
        arguments.forEach(known::known);
        operands.forEach(known::known);
        boolean calleeKnown = known.known(callee);
        problems.forEach(problem -> reporter.report(problem, ""));
        if (operands.size() > 1) {
            report("wrong-operand-count.call", call);
        } else if (calleeKnown) {
            Signature signature =
                    signature(call, callee, operands.isEmpty() ? null : operands.getFirst());
            if (!operands.isEmpty()) {
                pointer(callee);
            }
            if (signature != null && problems.isEmpty()) {
                match(call, "result", results, signature.results());
                match(call, "argument", arguments, signature.parameters());
            }
        }
    }

    private void pointer(Operand callee) {
        if (callee instanceof Operand.Register register
                && register.declaration() != null
                && (register.declaration().type().kind() == ScalarType.Kind.FLOAT
                        || register.declaration().type().bits() < 32)) {
            report("wrong-operand-type.callee", register, register.declaration().type());
        }
    }

    private @Nullable Signature signature(
            Instruction call, Operand callee, @Nullable Operand prototype) {
        if (prototype == null) {
            if (callee instanceof Operand.Symbol symbol) {
                Function function = names.function(symbol.name());
                if (function != null) {
                    return function.signature();
                }
                if (names.isFunction(symbol.name())) {
                    return null;
                }
            }
            report("missing-call-prototype", call, callee);
            return null;
        }
        if (prototype instanceof Operand.Symbol symbol) {
            if (symbol.variable() != null) {
                return null; // a call table
            }
            Statement label = names.label(symbol.name());
            if (label instanceof Statement.CallPrototype(_, Signature signature, _)) {
                return signature;
            }
            if (label instanceof Statement.CallTargets targets && !targets.targets().isEmpty()) {
                Function first = names.function(targets.targets().getFirst().name());
                return first == null ? null : first.signature();
            }
        }
        report("missing-call-prototype.kind", call, prototype);
        return null;
    }

    private void match(Instruction call, String what, List<Operand> actual, List<Variable> formal) {
        boolean open =
                !formal.isEmpty()
                        && formal.getLast().dimensions().contains(Variable.UNSIZED)
                        && actual.size() == formal.size() - 1;
        if (actual.size() != formal.size() && !open) {
            report("wrong-call-arguments.count", call, actual.size(), what, formal.size());
            return;
        }
        for (int i = 0; i < actual.size(); i++) {
            if (what.equals("result") && actual.get(i) instanceof Operand.Immediate constant) {
                report("wrong-operand-kind.result", constant);
                continue;
            }
            one(what, actual.get(i), formal.get(i));
        }
    }

    private void one(String what, Operand actual, Variable formal) {
        Variable variable =
                switch (actual) {
                    case Operand.Register register -> register.declaration();
                    case Operand.Symbol symbol -> symbol.variable();
                    default -> null;
                };
        if (variable == null || formal.dimensions().contains(Variable.UNSIZED)) {
            return;
        }
        boolean space = variable.space() == StateSpace.REG || variable.space() == StateSpace.PARAM;
        boolean type =
                (variable.isArray() || formal.isArray())
                        ? variable.isArray() == formal.isArray()
                                && variable.sizeInBytes() == formal.sizeInBytes()
                        : Compatibility.register(formal.type(), variable.type(), false)
                                || (variable.type().bits() == formal.type().bits()
                                        && formal.type().kind() == ScalarType.Kind.BITS);
        if (!space || !type) {
            reporter.report(
                    "wrong-call-arguments", actual, what, variable.toString(), formal.toString());
        }
    }

    void targets(Statement.CallTargets targets) {
        for (Operand.Symbol target : targets.targets()) {
            if (!names.isFunction(target.name())) {
                reporter.report("unknown-name.call-target", target);
            }
        }
    }

    private void report(String wording, Object subject, Object... more) {
        reporter.report(Problem.of(wording, subject, more), SECTION);
    }
}
