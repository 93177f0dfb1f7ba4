package dev.heddle.ptx.check;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Guard;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.FormMatcher;
import dev.heddle.ptx.instruction.InstructionKind;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks one function: its names, its labels, and each of its instructions.
final class FunctionChecker {

    private final Context context;
    private final boolean analysed;
    private final List<BoundInstruction> bound = new ArrayList<>();
    private final Set<List<Integer>> places = new HashSet<>();
    private final DeclarationChecker declarations;
    private final Reporter reporter;
    private final CallChecker calls;
    private final DirectiveChecker directives;
    private final MatrixChecker matrices;
    private final Repairs repairs;

    /// @param analysed whether the paths through the function are asked too
    FunctionChecker(Context context, DeclarationChecker declarations, boolean analysed) {
        this.context = context;
        this.analysed = analysed;
        this.declarations = declarations;
        reporter = context.reporter();
        calls = new CallChecker(context.names(), reporter);
        directives = new DirectiveChecker(context.module(), context.target(), reporter);
        matrices = new MatrixChecker(context);
        repairs = new Repairs(context);
    }

    /// Gives the instructions in order, as far as each fits a form.
    List<BoundInstruction> check() {
        Function function = context.function();
        Declared declared = new Declared();
        for (Variable result : function.results()) {
            declarations.parameter(result);
            declare(declared, result);
        }
        for (Variable parameter : function.parameters()) {
            declarations.parameter(parameter);
            declare(declared, parameter);
        }
        Statement.Block body = function.body();
        if (body != null) {
            int before = reporter.invalid();
            block(body, declared);
            if (analysed && reporter.invalid() == before) {
                flow(new Flow(body, bound));
            }
        }
        return bound;
    }

    /// What only the paths through the function show; asked of valid functions alone.
    private void flow(Flow flow) {
        new AlignedAnalysis(flow, reporter).run();
        new WgmmaAnalysis(flow, reporter).run();
        new ProxyAnalysis(flow, reporter).run();
        new AsyncCopyAnalysis(flow, reporter).run();
        new MetadataAnalysis(flow, reporter).run();
    }

    private void declare(Declared declared, Variable variable) {
        SourcePosition before = declared.add(variable);
        if (before != null) {
            String range = variable.isRange() ? "<...>" : "";
            duplicate(variable.name() + range, variable.position(), before);
        }
    }

    private void name(Declared declared, String name, SourcePosition position) {
        SourcePosition before = declared.add(name, position);
        if (before != null) {
            duplicate(name, position, before);
        }
    }

    private void duplicate(String name, SourcePosition position, SourcePosition before) {
        reporter.report(
                Problem.of("duplicate-definition.scope", new Problem.Spot(position, name))
                        .because(before, "first declared here"),
                "");
    }

    private void block(Statement.Block block, Declared declared) {
        Map<String, Statement> labels = labels(block);
        context.names().open(labels);
        for (Statement statement : block.statements()) {
            LoadLimit.check();
            switch (statement) {
                case Variable variable -> {
                    declarations.local(variable);
                    declare(declared, variable);
                }
                case Statement.Block inner -> block(inner, new Declared());
                case Instruction instruction -> instruction(instruction);
                case Statement.Label(String name, SourcePosition position) ->
                        name(declared, name, position);
                case Statement.BranchTargets targets -> {
                    name(declared, targets.name(), targets.position());
                    labels.put(targets.name(), targets);
                    branchTargets(targets);
                }
                case Statement.CallTargets targets -> {
                    name(declared, targets.name(), targets.position());
                    labels.put(targets.name(), targets);
                    calls.targets(targets);
                }
                case Statement.CallPrototype prototype -> {
                    name(declared, prototype.name(), prototype.position());
                    labels.put(prototype.name(), prototype);
                    directives.prototype(prototype.signature());
                }
                case Statement.Location location -> location(location);
                case Statement.Pragma _ -> {}
            }
        }
        context.names().close();
    }

    /// The labels of a block, which branches may name before they are; directives only after.
    private static Map<String, Statement> labels(Statement.Block block) {
        Map<String, Statement> labels = new HashMap<>();
        for (Statement statement : block.statements()) {
            LoadLimit.check();
            if (statement instanceof Statement.Label label) {
                labels.put(label.name(), label);
            }
        }
        return labels;
    }

    private void branchTargets(Statement.BranchTargets targets) {
        for (Operand.Symbol target : targets.targets()) {
            if (!(context.names().label(target.name()) instanceof Statement.Label)) {
                reporter.report(Problem.of("unknown-label", target), "11.3.1");
            }
        }
    }

    /// Inlined code names a place that an earlier `.loc` has (11.5.4).
    private void location(Statement.Location location) {
        Statement.Inlined inlined = location.inlined();
        if (inlined != null
                && !places.contains(List.of(inlined.file(), inlined.line(), inlined.column()))) {
            reporter.report(
                    "unknown-inlining-place",
                    new Problem.Spot(location.position(), ".loc"),
                    inlined.file(),
                    inlined.line(),
                    inlined.column());
        }
        places.add(List.of(location.file(), location.line(), location.column()));
    }

    private void instruction(Instruction instruction) {
        guard(instruction);
        int before = reporter.list().size();
        FormMatcher.Match found = context.matches().of(instruction);
        FormMatch match = found.open();
        if (found.isProduct()) {
            matrices.check(instruction);
        } else if (match != null && match.form().kind() == InstructionKind.CALL) {
            calls.check(instruction);
        } else {
            match = new InstructionChecker(context).check(instruction);
        }
        if (match != null) {
            bound.add(new BoundInstruction(instruction.byComponents(), match));
        }
        repairs.mend(instruction, before);
    }

    private void guard(Instruction instruction) {
        Guard guard = instruction.guard();
        if (guard == null) {
            return;
        }
        Operand.Register register = guard.predicate();
        Problem.Spot at = new Problem.Spot(register.position(), register.name());
        Variable declaration = register.declaration();
        if (declaration == null) {
            reporter.report(
                    "undeclared-register",
                    at,
                    register.name(),
                    "declare it: .reg .pred " + register.name() + ";");
        } else if (declaration.type() != ScalarType.PRED) {
            reporter.report("guard-not-a-predicate", at, declaration.type());
        }
    }
}
