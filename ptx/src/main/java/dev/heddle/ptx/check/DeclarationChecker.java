package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Linkage;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;

/// Checks variable declarations (PTX ISA 5.1, 5.4).
record DeclarationChecker(Module module, Symbols symbols, Reporter reporter) {
    private static final PtxVersion ABI = new PtxVersion(3, 0);

    /// A variable outside of functions.
    void module(Variable variable) {
        boolean ofThreads =
                variable.space() == StateSpace.REG || variable.space() == StateSpace.LOCAL;
        if (ofThreads && module.version().atLeast(ABI)) {
            report(
                    variable,
                    Rule.MISPLACED_STATE_SPACE,
                    "." + variable.space().keyword() + " at module level",
                    "declare it inside the function that uses it",
                    variable.space() == StateSpace.REG ? "5.1.1" : "5.1.5");
        }
        local(variable);
    }

    /// A variable inside a function.
    void local(Variable variable) {
        if (variable.type() == ScalarType.SAMPLERREF
                && !module.target().names().contains("texmode_independent")) {
            report(
                    variable,
                    Rule.SAMPLERREF_WITHOUT_INDEPENDENT_MODE,
                    ".samplerref in a module of texmode_unified",
                    "write texmode_independent behind the target",
                    "5.3");
        }
        any(variable);
        unsized(variable);
    }

    /// A parameter, which may be an array of unknown size.
    void parameter(Variable variable) {
        any(variable);
    }

    private void any(Variable variable) {
        if (mayHaveItsType(variable)) {
            shape(variable);
            managed(variable);
            initializer(variable);
        }
    }

    /// Whether a variable may have its type; where not, its other faults mean nothing.
    private boolean mayHaveItsType(Variable variable) {
        ScalarType type = variable.type();
        StateSpace space = variable.space();
        if (!type.isDeclarable() || type == ScalarType.BF16) {
            report(
                    variable,
                    Rule.TYPE_NOT_DECLARABLE,
                    "." + type.keyword() + " is an instruction type; no variable has it",
                    "declare it .b" + Math.max(8, type.bits()),
                    "5.2.3");
            return false;
        }
        if (type == ScalarType.PRED
                && (space != StateSpace.REG || variable.isArray() || variable.vector() > 1)) {
            report(
                    variable,
                    Rule.PREDICATE_OUTSIDE_REGISTER,
                    "a predicate is a scalar register",
                    "keep it in memory as .u8 and compare",
                    "5.4.1");
            return false;
        }
        if (type.kind() == ScalarType.Kind.OPAQUE && space == StateSpace.REG) {
            report(
                    variable,
                    Rule.OPAQUE_TYPE_IN_REGISTER,
                    "." + type.keyword() + " in a register",
                    "declare it .global at module level, or as a kernel parameter",
                    "5.3");
        }
        return true;
    }

    /// Arrays and vectors.
    private void shape(Variable variable) {
        ScalarType type = variable.type();
        if (variable.space() == StateSpace.REG && variable.isArray()) {
            report(
                    variable,
                    Rule.REGISTER_ARRAY,
                    variable.name() + " is an array of registers",
                    "use a range: %r<n>, or put the array in .local",
                    "5.4.6");
        }
        if (variable.vector() > 1 && type.bits() * variable.vector() > 128) {
            report(
                    variable,
                    Rule.VECTOR_TOO_WIDE,
                    ".v%s .%s has %s bits; at most 128"
                            .formatted(
                                    variable.vector(),
                                    type.keyword(),
                                    type.bits() * variable.vector()),
                    "use a shorter vector, or an array",
                    "5.4.2");
        }
        if (variable.vector() == 8) {
            report(
                    variable,
                    Rule.VECTOR_TOO_WIDE,
                    "a variable is .v2 or .v4, not .v8",
                    "use an array",
                    "5.4.2");
        }
    }

    private void managed(Variable variable) {
        if (variable.isManaged() && variable.space() != StateSpace.GLOBAL) {
            report(
                    variable,
                    Rule.MANAGED_OUTSIDE_GLOBAL,
                    ".attribute(.managed) on a ." + variable.space().keyword() + " variable",
                    "declare it .global, or leave the attribute out",
                    "5.4.8");
        }
    }

    private void initializer(Variable variable) {
        boolean memory =
                variable.space() == StateSpace.GLOBAL || variable.space() == StateSpace.CONST;
        if (variable.initializer() != null && !memory) {
            report(
                    variable,
                    Rule.INITIALIZER_OUTSIDE_GLOBAL_OR_CONST,
                    "an initial value in ." + variable.space().keyword(),
                    "only .global and .const variables have one; store it at run time",
                    "5.4.4");
        } else if (variable.initializer() != null && variable.linkage() == Linkage.EXTERN) {
            report(
                    variable,
                    Rule.INITIALIZER_OF_EXTERN,
                    "an initial value in an external declaration",
                    "leave .extern or the value out",
                    "5.4.4");
        }
        if (variable.initializer() != null) {
            new InitializerChecker(variable, symbols, reporter).check();
        }
    }

    private void unsized(Variable variable) {
        boolean unsized =
                (variable.dimensions().contains(Variable.UNSIZED)
                                && variable.initializer() == null
                                && variable.linkage() != Linkage.EXTERN)
                        || variable.dimensions().contains(0L);
        if (unsized) {
            report(
                    variable,
                    Rule.MISSING_ARRAY_SIZE,
                    variable.name() + " has no size",
                    "give the size, an initial value, or .extern",
                    "5.4.3");
        }
    }

    private void report(
            Variable variable, Rule rule, String message, String remedy, String section) {
        reporter.invalid(
                rule, variable.position(), variable.name().length(), message, remedy, section);
    }
}
