package dev.heddle.ptx.check;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Initializer;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;

import java.util.List;

/// Checks initial values against the type and shape of their variable (PTX ISA 5.4.4).
record InitializerChecker(Variable variable, Symbols symbols, Reporter reporter) {
    void check() {
        Initializer initializer = variable.initializer();
        if (initializer == null) {
            return;
        }
        if (variable.type() == ScalarType.F16 || variable.type() == ScalarType.F16X2) {
            report(
                    initializer.position(),
                    "an initial value of ." + variable.type().keyword(),
                    "declare it .b" + variable.type().bits() + " and give the bits");
            return;
        }
        int depth = variable.dimensions().size() + (variable.vector() > 1 ? 1 : 0);
        level(initializer, 0, depth);
    }

    private void level(Initializer initializer, int level, int depth) {
        if (level == depth) {
            scalar(initializer);
            return;
        }
        if (!(initializer
                instanceof Initializer.Aggregate(List<Initializer> elements, SourcePosition at))) {
            report(
                    initializer.position(),
                    "one value where a list in braces must stand",
                    "the nesting of braces follows the dimensions");
            return;
        }
        long extent =
                level < variable.dimensions().size()
                        ? variable.dimensions().get(level)
                        : variable.vector();
        if (extent != Variable.UNSIZED && elements.size() > extent) {
            report(
                    at,
                    elements.size() + " values; the array holds " + extent,
                    "leave the surplus out");
            return;
        }
        for (Initializer element : elements) {
            level(element, level + 1, depth);
        }
    }

    private void scalar(Initializer initializer) {
        ScalarType type = variable.type();
        switch (initializer) {
            case Initializer.Aggregate(_, SourcePosition at) ->
                    report(
                            at,
                            "a list where one value must stand",
                            "the nesting of braces follows the dimensions");
            case Initializer.Value(Constant value, SourcePosition at) -> {
                if (!Compatibility.constant(type, value) && type.kind() != ScalarType.Kind.BITS) {
                    report(
                            at,
                            "the constant " + value + " does not suit ." + type.keyword(),
                            type.isInteger()
                                    ? "write an integer"
                                    : "write it with a point, or as 0f or 0d and its bits");
                }
            }
            case Initializer.Masked(_, _, SourcePosition at) -> {
                if (type.bits() != 8) {
                    report(
                            at,
                            "a masked value in ." + type.keyword(),
                            "masks give bytes: use .u8 or .b8");
                }
            }
            case Initializer.AddressOf address -> address(address, type);
        }
    }

    private void address(Initializer.AddressOf address, ScalarType type) {
        Variable named = symbols.variable(address.name());
        if (named == null && !symbols.isFunction(address.name())) {
            report(
                    address.position(),
                    address.name()
                            + " is neither a variable nor a function declared before this line",
                    "declare it before this line");
            return;
        }
        if (named != null
                && named.space() != StateSpace.GLOBAL
                && named.space() != StateSpace.CONST) {
            report(
                    address.position(),
                    address.name()
                            + " lives in ."
                            + named.space().keyword()
                            + "; only .global and .const have addresses at load time",
                    "store the address at run time");
            return;
        }
        int bits = address.mask() != 0 ? 8 : 32;
        if (type.kind() != ScalarType.Kind.UNSIGNED
                || (bits == 8 ? type.bits() != 8 : type.bits() < bits)) {
            report(
                    address.position(),
                    "an address in ." + type.keyword(),
                    "declare it .u64 (or .u8 with a mask)");
        }
    }

    private void report(SourcePosition position, String message, String remedy) {
        reporter.invalid(Rule.WRONG_INITIALIZER, position, 1, message, remedy);
    }
}
