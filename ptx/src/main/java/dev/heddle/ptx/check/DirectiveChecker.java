package dev.heddle.ptx.check;

import dev.heddle.formats.Counted;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;
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
            reporter.invalid(
                    Rule.WRONG_KERNEL_PARAMETER,
                    parameter.position(),
                    parameter.name().length(),
                    "parameter %s of a kernel is .%s; it must be .param"
                            .formatted(parameter.name(), parameter.space().keyword()),
                    "write .param, and load it with ld.param");
        } else if (parameter.dimensions().contains(Variable.UNSIZED)) {
            reporter.invalid(
                    Rule.WRONG_KERNEL_PARAMETER,
                    parameter.position(),
                    parameter.name().length(),
                    "parameter " + parameter.name() + " of a kernel is an array without a size",
                    "write the size in the brackets");
        }
    }

    private void place(Function function, Signature.Directive directive) {
        String name = directive.name();
        if (name.equals("pragma") || OF_FUNCTIONS.contains(name) != function.isEntry()) {
            return;
        }
        report(
                directive,
                Rule.MISPLACED_DIRECTIVE,
                "."
                        + name
                        + " belongs to "
                        + (function.isEntry()
                                ? "a .func; " + function.name() + " is an .entry"
                                : "an .entry; " + function.name() + " is a .func"),
                "leave it out");
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
                    directive,
                    Rule.WRONG_DIRECTIVE_VALUES,
                    ".%s has %s; it takes %s"
                            .formatted(
                                    directive.name(),
                                    Counted.of(count, "number"),
                                    most == 3 ? "1 to 3" : most),
                    most == 0 ? "leave the numbers out" : "write ." + directive.name() + " 32");
        }
        boolean positive = List.of("maxntid", "reqntid", "maxnreg").contains(directive.name());
        if (positive && directive.values().stream().anyMatch(value -> value <= 0)) {
            report(
                    directive,
                    Rule.WRONG_DIRECTIVE_VALUES,
                    "." + directive.name() + " with a number below 1",
                    "write a positive number");
        }
        if (directive.name().equals("maxnctapersm")) {
            report(
                    directive,
                    Rule.REMOVED_DIRECTIVE,
                    ".maxnctapersm was removed in PTX 2.1",
                    "write .minnctapersm");
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
            report(
                    directive,
                    Rule.VERSION_TOO_LOW,
                    ".%s needs PTX %s; the module says .version %s"
                            .formatted(directive.name(), needed, module.version()),
                    "write .version " + needed + " or later");
        }
        if (OF_CLUSTERS.contains(directive.name()) && !target.isAtLeast(90)) {
            report(
                    directive,
                    Rule.UNSUPPORTED_TARGET,
                    "."
                            + directive.name()
                            + " needs sm_90 or higher; the module says .target "
                            + target.architecture(),
                    "write .target sm_90");
        }
    }

    private void conflict(Map<String, Signature.Directive> seen, String one, String other) {
        Signature.Directive first = seen.get(one);
        Signature.Directive second = seen.get(other);
        if (first != null && second != null) {
            report(
                    later(first, second),
                    Rule.CONFLICTING_DIRECTIVES,
                    "." + one + " and ." + other + " on one kernel",
                    "keep one of them");
        }
    }

    private static Signature.Directive later(Signature.Directive one, Signature.Directive other) {
        SourcePosition a = one.position();
        SourcePosition b = other.position();
        boolean after = a.line() > b.line() || (a.line() == b.line() && a.column() > b.column());
        return after ? one : other;
    }

    private void report(Signature.Directive directive, Rule rule, String message, String remedy) {
        reporter.invalid(
                rule,
                directive.position(),
                directive.name().length() + 1,
                message,
                remedy,
                section(directive.name()));
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
