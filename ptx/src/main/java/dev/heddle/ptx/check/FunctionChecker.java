package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Guard;
import dev.heddle.ptx.Instruction;
import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.TargetDirective;
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

    private final Function function;
    private final boolean analysed;
    private final FormMatcher matches;
    private final List<BoundInstruction> bound = new ArrayList<>();
    private final Set<List<Integer>> places = new HashSet<>();
    private final SymbolScope names;
    private final DeclarationChecker declarations;
    private final Reporter reporter;
    private final InstructionChecker instructions;
    private final CallChecker calls;
    private final DirectiveChecker directives;
    private final MatrixChecker matrices;
    private final Repairs repairs;

    /// @param analysed whether the paths through the function are asked too
    FunctionChecker(
            Module module,
            Function function,
            TargetDirective target,
            SymbolScope names,
            DeclarationChecker declarations,
            FormMatcher matches,
            Reporter reporter,
            boolean analysed) {
        this.function = function;
        this.analysed = analysed;
        this.matches = matches;
        this.names = names;
        this.declarations = declarations;
        this.reporter = reporter;
        this.instructions =
                new InstructionChecker(module, function, target, names, matches, reporter);
        this.calls = new CallChecker(names, reporter);
        this.directives = new DirectiveChecker(module, target, reporter);
        this.matrices = new MatrixChecker(module, target, names, reporter);
        this.repairs = new Repairs(module, function, target, names, matches, reporter);
    }

    /// Gives the instructions in order, as far as each fits a form.
    List<BoundInstruction> check() {
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
        reporter.add(
                new Diagnostic(
                        Rule.DUPLICATE_DEFINITION,
                        position,
                        name.length(),
                        name + " is declared twice in this scope",
                        "rename one of them, or put one into a block of its own",
                        "5.4",
                        List.of(new Diagnostic.Note(before, "first declared here"))));
    }

    private void block(Statement.Block block, Declared declared) {
        Map<String, Statement> labels = labels(block);
        names.open(labels);
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
        names.close();
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
            if (!(names.label(target.name()) instanceof Statement.Label)) {
                reporter.invalid(
                        Rule.UNKNOWN_LABEL,
                        target.position(),
                        target.name().length(),
                        "there is no label " + target.name() + " in sight",
                        "labels are seen in their own block and the blocks inside it",
                        "11.3.1");
            }
        }
    }

    /// Inlined code names a place that an earlier `.loc` has (11.5.4).
    private void location(Statement.Location location) {
        Statement.Inlined inlined = location.inlined();
        if (inlined != null
                && !places.contains(List.of(inlined.file(), inlined.line(), inlined.column()))) {
            reporter.invalid(
                    Rule.UNKNOWN_INLINING_PLACE,
                    location.position(),
                    4,
                    "inlined_at %d %d %d: no .loc before this line has that place"
                            .formatted(inlined.file(), inlined.line(), inlined.column()),
                    "write .loc with that place first");
        }
        places.add(List.of(location.file(), location.line(), location.column()));
    }

    private void instruction(Instruction instruction) {
        guard(instruction);
        int before = reporter.list().size();
        FormMatcher.Match found = matches.of(instruction);
        FormMatch match = found.open();
        if (found.isProduct()) {
            matrices.check(instruction);
        } else if (match != null && match.form().kind() == InstructionKind.CALL) {
            calls.check(instruction);
        } else {
            match = instructions.check(instruction);
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
        Variable declaration = register.declaration();
        if (declaration == null) {
            reporter.invalid(
                    Rule.UNDECLARED_REGISTER,
                    register.position(),
                    register.name().length(),
                    "register "
                            + register.name()
                            + " is not declared before this line in this scope",
                    "declare it: .reg .pred " + register.name() + ";",
                    "5.4");
        } else if (declaration.type() != ScalarType.PRED) {
            reporter.invalid(
                    Rule.GUARD_NOT_A_PREDICATE,
                    register.position(),
                    register.name().length(),
                    register.name() + " is ." + declaration.type().keyword() + "; a guard is .pred",
                    "setp.ne makes a predicate of it",
                    "9.3");
        }
    }
}
