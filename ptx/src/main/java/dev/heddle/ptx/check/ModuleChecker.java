package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Target;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Linkage;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.Statement;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.ptx.instruction.FormMatcher;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks a module from its header to its last function.
final class ModuleChecker {

    private static final PtxVersion NEWEST = PtxVersion.NEWEST;
    private static final Set<String> OPTIONS =
            Set.of("texmode_unified", "texmode_independent", "debug", "map_f64_to_f32");

    private final Module module;
    private final Reporter reporter;
    private final SymbolScope names;
    private final boolean analysed;
    private final IdentityHashMap<Function, List<BoundInstruction>> bound = new IdentityHashMap<>();
    private final FormMatcher matches = new FormMatcher();
    private final DeclarationChecker declarations;
    private final Map<String, ModuleItem> defined = new HashMap<>();

    /// @param analysed whether the paths through functions are asked too
    ModuleChecker(Module module, Reporter reporter, boolean analysed) {
        this.module = module;
        this.reporter = reporter;
        this.names = new SymbolScope(module);
        this.analysed = analysed;
        this.declarations = new DeclarationChecker(module, defined, reporter);
    }

    void check() {
        header();
        bind();
    }

    /// Checks all but the header, which says nothing of what the instructions do.
    ///
    /// @return the instructions of each function in order, as far as they fit
    IdentityHashMap<Function, List<BoundInstruction>> bind() {
        TargetDirective target = module.target();
        for (ModuleItem item : module.items()) {
            switch (item) {
                case Variable variable -> {
                    define(variable.name(), variable);
                    declarations.module(variable);
                }
                case Function function -> function(function, target);
                case ModuleItem.Retarget(TargetDirective next, _) -> target = next;
                case ModuleItem.Alias alias -> {
                    function(alias.name(), alias);
                    function(alias.aliasee(), alias);
                }
                case Statement.Pragma _, ModuleItem.SourceFile _, ModuleItem.Section _ -> {}
            }
        }
        return bound;
    }

    private void header() {
        PtxVersion version = module.version();
        if (version.major() == 0 || module.target().names().isEmpty()) {
            return; // the parser has said what is missing
        }
        if (version.compareTo(NEWEST) > 0) {
            reporter.report(
                    "unknown-version",
                    new Problem.Spot(module.versionPosition(), ".version"),
                    version,
                    NEWEST);
        }
        options();
        target();
    }

    private void options() {
        String architecture = module.target().architecture();
        for (String name : module.target().names()) {
            if (!name.equals(architecture) && !OPTIONS.contains(name)) {
                reporter.report(
                        "unknown-target.option",
                        new Problem.Spot(module.targetPosition(), ".target"),
                        name);
            }
        }
    }

    private void target() {
        PtxVersion version = module.version();
        String architecture = module.target().architecture();
        Target target = module.target().target();
        if (target == null) {
            if (module.target().names().contains(architecture)) {
                reporter.report(
                        "unknown-target",
                        new Problem.Spot(module.targetPosition(), ".target"),
                        architecture);
            }
        } else if (!version.atLeast(target.since())) {
            reporter.report(
                    "version-too-low.target",
                    new Problem.Spot(module.versionPosition(), ".version"),
                    architecture,
                    target.since(),
                    version);
        }
    }

    /// Declarations may repeat; definitions may not.
    private void define(String name, ModuleItem item) {
        ModuleItem before = defined.putIfAbsent(name, item);
        if (before == null || isDeclaration(before)) {
            defined.put(name, item);
            return;
        }
        if (isDeclaration(item)) {
            return;
        }
        reporter.report(
                Problem.of("duplicate-definition", new Problem.Spot(item.position(), name))
                        .because(before.position(), "first defined here"),
                "");
    }

    private static boolean isDeclaration(ModuleItem item) {
        return switch (item) {
            case Variable variable -> variable.linkage() == Linkage.EXTERN;
            case Function function -> function.body() == null;
            default -> false;
        };
    }

    private void function(String name, ModuleItem.Alias alias) {
        if (!(defined.get(name) instanceof Function)) {
            reporter.report(
                    "unknown-name.alias", new Problem.Spot(alias.position(), ".alias"), name);
        }
    }

    private void function(Function function, TargetDirective target) {
        define(function.name(), function);
        names.declare(function);
        new DirectiveChecker(module, target, reporter).check(function);
        Context context = new Context(module, function, target, names, matches, reporter);
        FunctionChecker checker = new FunctionChecker(context, declarations, analysed);
        bound.put(function, checker.check());
    }
}
