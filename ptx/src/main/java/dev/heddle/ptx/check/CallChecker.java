package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
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
                reporter.invalid(
                        Rule.QUALIFIER_NOT_ALLOWED,
                        call.position(),
                        call.mnemonic().length(),
                        "." + qualifier + " may not stand in " + call.mnemonic(),
                        "leave it out; call takes .uni alone",
                        SECTION);
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
            report(
                    Rule.WRONG_OPERAND_COUNT,
                    call,
                    "call names no function",
                    "write call (result), function, (arguments)");
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
        problems.forEach(reporter::invalid);
        if (operands.size() > 1) {
            report(
                    Rule.WRONG_OPERAND_COUNT,
                    call,
                    "too many operands in call",
                    "write call (result), function, (arguments), prototype");
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
            reporter.invalid(
                    Rule.WRONG_OPERAND_TYPE,
                    callee.position(),
                    OperandExcerpt.width(callee),
                    register
                            + " is ."
                            + register.declaration().type().keyword()
                            + "; a function's address is .u64",
                    "use a .b64 register",
                    SECTION);
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
            report(
                    Rule.MISSING_CALL_PROTOTYPE,
                    call,
                    OperandExcerpt.of(callee) + " is no function declared before this line",
                    "declare the function, or name a .callprototype or .calltargets for an indirect"
                            + " call");
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
        report(
                Rule.MISSING_CALL_PROTOTYPE,
                call,
                OperandExcerpt.of(prototype) + " is neither a .callprototype nor a .calltargets",
                "write  name: .callprototype (.param .b32 _) _ (.param .b32 _);  before the call");
        return null;
    }

    private void match(Instruction call, String what, List<Operand> actual, List<Variable> formal) {
        boolean open =
                !formal.isEmpty()
                        && formal.getLast().dimensions().contains(Variable.UNSIZED)
                        && actual.size() == formal.size() - 1;
        if (actual.size() != formal.size() && !open) {
            report(
                    Rule.WRONG_CALL_ARGUMENTS,
                    call,
                    "the call has %s %ss; the function has %s"
                            .formatted(actual.size(), what, formal.size()),
                    "give " + formal.size() + " in parentheses, in the order of the declaration");
            return;
        }
        for (int i = 0; i < actual.size(); i++) {
            if (what.equals("result") && actual.get(i) instanceof Operand.Immediate constant) {
                reporter.invalid(
                        Rule.WRONG_OPERAND_KIND,
                        constant.position(),
                        1,
                        "a constant where the result of the call goes",
                        "name a register",
                        SECTION);
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
            reporter.invalid(
                    Rule.WRONG_CALL_ARGUMENTS,
                    actual.position(),
                    OperandExcerpt.width(actual),
                    what + " " + variable + " does not match " + formal,
                    "sizes and types must agree; copy it into a .param of the right type");
        }
    }

    void targets(Statement.CallTargets targets) {
        for (Operand.Symbol target : targets.targets()) {
            if (!names.isFunction(target.name())) {
                reporter.invalid(
                        Rule.UNKNOWN_NAME,
                        target.position(),
                        target.name().length(),
                        "there is no function " + target.name() + " declared before this line",
                        "declare it first: .func " + target.name() + "();",
                        "11.3.2");
            }
        }
    }

    private void report(Rule rule, Instruction call, String message, String remedy) {
        reporter.invalid(rule, call.position(), call.mnemonic().length(), message, remedy, SECTION);
    }
}
