package dev.heddle.ptx.check;

import dev.heddle.isa.PtxVersion;
import dev.heddle.ptx.Linkage;
import dev.heddle.ptx.Module;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;

import java.util.Map;

/// Checks variable declarations (PTX ISA 5.1, 5.4).
///
/// @param declared before the variable, and itself
record DeclarationChecker(Module module, Map<String, ModuleItem> declared, Reporter reporter) {
    private static final PtxVersion ABI = new PtxVersion(3, 0);

    /// A variable outside of functions.
    void module(Variable variable) {
        if (module.version().atLeast(ABI)) {
            if (variable.space() == StateSpace.REG) {
                reporter.report("misplaced-state-space.register", variable);
            } else if (variable.space() == StateSpace.LOCAL) {
                reporter.report("misplaced-state-space.local", variable);
            }
        }
        local(variable);
    }

    /// A variable inside a function.
    void local(Variable variable) {
        if (variable.type() == ScalarType.SAMPLERREF
                && !module.target().names().contains("texmode_independent")) {
            reporter.report("samplerref-without-independent-mode", variable);
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
            if (variable.isManaged() && variable.space() != StateSpace.GLOBAL) {
                reporter.report("managed-outside-global", variable, variable.space());
            }
            initializer(variable);
        }
    }

    /// Whether a variable may have its type; where not, its other faults mean nothing.
    private boolean mayHaveItsType(Variable variable) {
        ScalarType type = variable.type();
        StateSpace space = variable.space();
        if (!type.isDeclarable() || type == ScalarType.BF16) {
            reporter.report("type-not-declarable", variable, type, Math.max(8, type.bits()));
            return false;
        }
        if (type == ScalarType.PRED
                && (space != StateSpace.REG || variable.isArray() || variable.vector() > 1)) {
            reporter.report("predicate-outside-register", variable);
            return false;
        }
        if (type.kind() == ScalarType.Kind.OPAQUE && space == StateSpace.REG) {
            reporter.report("opaque-type-in-register", variable, type);
        }
        return true;
    }

    /// Arrays and vectors.
    private void shape(Variable variable) {
        ScalarType type = variable.type();
        if (variable.space() == StateSpace.REG && variable.isArray()) {
            reporter.report("register-array", variable);
        }
        int bits = type.bits() * variable.vector();
        if (variable.vector() > 1 && bits > 128) {
            reporter.report("vector-too-wide.variable", variable, variable.vector(), type, bits);
        }
        if (variable.vector() == 8) {
            reporter.report("vector-too-wide.v8", variable);
        }
    }

    private void initializer(Variable variable) {
        if (variable.initializer() == null) {
            return;
        }
        if (variable.space() != StateSpace.GLOBAL && variable.space() != StateSpace.CONST) {
            reporter.report("initializer-outside-global-or-const", variable, variable.space());
        } else if (variable.linkage() == Linkage.EXTERN) {
            reporter.report("initializer-of-extern", variable);
        }
        new InitializerChecker(variable, declared, reporter).check();
    }

    private void unsized(Variable variable) {
        boolean unsized =
                (variable.dimensions().contains(Variable.UNSIZED)
                                && variable.initializer() == null
                                && variable.linkage() != Linkage.EXTERN)
                        || variable.dimensions().contains(0L);
        if (unsized) {
            reporter.report("missing-array-size", variable);
        }
    }
}
