package dev.heddle.ptx.check;

import dev.heddle.formats.Counted;
import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.Function;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.Signature;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.TargetDirective;
import dev.heddle.ptx.Variable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks what is between the name of a function and its body: the parameters of kernels and
/// the directives for performance, clusters and calling (PTX ISA 11.2.1, 11.4, 11.7, 11.8).
record DirectiveChecker(Module module, TargetDirective target, Reporter reporter) {
    private static final Set<String> OF_FUNCTIONS =
            Set.of("noreturn", "abi_preserve", "abi_preserve_control");
    private static final Set<String> OF_CLUSTERS =
            Set.of("reqnctapercluster", "explicitcluster", "maxclusterrank");
    private static final PtxVersion CLUSTERS = new PtxVersion(7, 8);
    private static final PtxVersion PRESERVED = new PtxVersion(9, 0);

    void check(Function function) {
        if (function.isEntry()) {
            function.parameters().forEach(this::parameter);
        }
        Map<String, Signature.Directive> seen = new HashMap<>();
        for (Signature.Directive directive : function.signature().directives()) {
            place(function, directive);
            values(directive);
            requirement(directive);
            seen.put(directive.name(), directive);
        }
        conflict(seen, "maxntid", "reqntid");
        conflict(seen, "maxclusterrank", "reqnctapercluster");
    }

    private void parameter(Variable parameter) {
        if (parameter.space() != StateSpace.PARAM) {
            reporter.report("wrong-kernel-parameter", parameter, parameter.space());
        } else if (parameter.dimensions().contains(Variable.UNSIZED)) {
            reporter.report("wrong-kernel-parameter.size", parameter);
        }
    }

    private void place(Function function, Signature.Directive directive) {
        String name = directive.name();
        if (name.equals("pragma") || OF_FUNCTIONS.contains(name) != function.isEntry()) {
            return;
        }
        report(
                function.isEntry() ? "misplaced-directive.kernel" : "misplaced-directive.function",
                directive,
                function.name());
    }

    private void values(Signature.Directive directive) {
        int count = directive.values().size();
        int most =
                switch (directive.name()) {
                    case "maxntid", "reqntid", "reqnctapercluster" -> 3;
                    case "noreturn", "explicitcluster", "blocksareclusters", "pragma" -> 0;
                    default -> 1;
                };
        if (count > most || (count == 0 && most > 0)) {
            report(
                    "wrong-directive-values",
                    directive,
                    Counted.of(count, "number"),
                    most == 3 ? "1 to 3" : most,
                    most == 0 ? "leave the numbers out" : "write ." + directive.name() + " 32");
        }
        boolean positive = List.of("maxntid", "reqntid", "maxnreg").contains(directive.name());
        if (positive && directive.values().stream().anyMatch(value -> value <= 0)) {
            report("wrong-directive-values.positive", directive);
        }
        if (directive.name().equals("maxnctapersm")) {
            report("removed-directive", directive);
        }
    }

    /// What a prototype says of the functions that it calls.
    void prototype(Signature signature) {
        signature.directives().forEach(this::requirement);
    }

    private void requirement(Signature.Directive directive) {
        PtxVersion needed =
                OF_CLUSTERS.contains(directive.name())
                        ? CLUSTERS
                        : directive.name().startsWith("abi_preserve") ? PRESERVED : null;
        if (needed != null && !module.version().atLeast(needed)) {
            report("version-too-low", directive, needed, module.version());
        }
        if (OF_CLUSTERS.contains(directive.name()) && !target.isAtLeast(90)) {
            report(
                    "unsupported-target",
                    directive,
                    "sm_90 or higher",
                    target.architecture(),
                    "sm_90");
        }
    }

    private void conflict(Map<String, Signature.Directive> seen, String one, String other) {
        Signature.Directive first = seen.get(one);
        Signature.Directive second = seen.get(other);
        if (first != null && second != null) {
            report("conflicting-directives", later(first, second), one, other);
        }
    }

    private static Signature.Directive later(Signature.Directive one, Signature.Directive other) {
        SourcePosition a = one.position();
        SourcePosition b = other.position();
        boolean after = a.line() > b.line() || (a.line() == b.line() && a.column() > b.column());
        return after ? one : other;
    }

    private void report(String wording, Signature.Directive directive, Object... more) {
        Problem.Spot spot = new Problem.Spot(directive.position(), "." + directive.name());
        reporter.report(Problem.of(wording, spot, more), section(directive.name()));
    }

    private static String section(String directive) {
        return switch (directive) {
            case "maxnreg" -> "11.4.1";
            case "maxntid" -> "11.4.2";
            case "reqntid" -> "11.4.3";
            case "minnctapersm" -> "11.4.4";
            case "maxnctapersm" -> "11.4.5";
            case "noreturn" -> "11.4.6";
            case "abi_preserve" -> "11.4.8";
            case "abi_preserve_control" -> "11.4.9";
            case "reqnctapercluster" -> "11.7.1";
            case "explicitcluster" -> "11.7.2";
            case "maxclusterrank" -> "11.7.3";
            case "blocksareclusters" -> "11.8.1";
            default -> "11.4.7";
        };
    }
}
