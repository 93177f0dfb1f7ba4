package dev.heddle.ptx.check;

import dev.heddle.ptx.Constant;
import dev.heddle.ptx.Initializer;
import dev.heddle.ptx.ModuleItem;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.StateSpace;
import dev.heddle.ptx.Variable;

import java.util.List;
import java.util.Map;

/// Checks initial values against the type and shape of their variable (PTX ISA 5.4.4).
record InitializerChecker(Variable variable, Map<String, ModuleItem> declared, Reporter reporter) {
    void check() {
        Initializer initializer = variable.initializer();
        if (initializer == null) {
            return;
        }
        ScalarType type = variable.type();
        if (type == ScalarType.F16 || type == ScalarType.F16X2) {
            report("wrong-initializer.half", initializer.position(), type, type.bits());
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
            report("wrong-initializer.one", initializer.position());
            return;
        }
        long extent =
                level < variable.dimensions().size()
                        ? variable.dimensions().get(level)
                        : variable.vector();
        if (extent != Variable.UNSIZED && elements.size() > extent) {
            report("wrong-initializer.surplus", at, elements.size(), extent);
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
                    report("wrong-initializer.list", at);
            case Initializer.Value(Constant value, SourcePosition at) -> {
                if (!Compatibility.constant(type, value) && type.kind() != ScalarType.Kind.BITS) {
                    report(
                            type.isInteger()
                                    ? "wrong-initializer.integer"
                                    : "wrong-initializer.number",
                            at,
                            value,
                            type);
                }
            }
            case Initializer.Masked(_, _, SourcePosition at) -> {
                if (type.bits() != 8) {
                    report("wrong-initializer.masked", at, type);
                }
            }
            case Initializer.AddressOf address -> address(address, type);
        }
    }

    private void address(Initializer.AddressOf address, ScalarType type) {
        SourcePosition at = address.position();
        ModuleItem item = declared.get(address.name());
        if (item == null) {
            report("wrong-initializer.unknown", at, address.name());
            return;
        }
        if (item instanceof Variable named
                && named.space() != StateSpace.GLOBAL
                && named.space() != StateSpace.CONST) {
            report("wrong-initializer.space", at, address.name(), named.space());
            return;
        }
        int bits = address.mask() != 0 ? 8 : 32;
        if (type.kind() != ScalarType.Kind.UNSIGNED
                || (bits == 8 ? type.bits() != 8 : type.bits() < bits)) {
            report("wrong-initializer.address", at, type);
        }
    }

    private void report(String wording, SourcePosition position, Object... more) {
        reporter.report(wording, new Problem.Spot(position, "{"), more);
    }
}
