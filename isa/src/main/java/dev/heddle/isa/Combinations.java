package dev.heddle.isa;

import dev.heddle.isa.rule.Rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What the notation cannot say about qualifiers that are together: the type restrictions that
/// PTX ISA 9.7.14.5.14 and 9.7.14.6.3 list by shape.
final class Combinations {
    private static final Set<String> DTYPE_IS_CTYPE =
            Set.of("m16n8k8", "m16n8k16", "m16n8k32", "m16n8k64");

    private Combinations() {}

    /// The rules that these qualifiers break together.
    static List<Violation> broken(Family family, Map<Qualifier, String> words) {
        List<Violation> broken = new ArrayList<>();
        if (family.warpgroup()) {
            return broken;
        }
        String shape = words.getOrDefault(Qualifier.SHAPE, "");
        String d = words.getOrDefault(Qualifier.DTYPE, "");
        String a = words.getOrDefault(Qualifier.ATYPE, "");
        String b = words.getOrDefault(Qualifier.BTYPE, "");
        String c = words.getOrDefault(Qualifier.CTYPE, "");
        if (DTYPE_IS_CTYPE.contains(shape) && !d.equals(c)) {
            broken.add(
                    Violation.of(
                            Rule.ACCUMULATOR_TYPES_DIFFER,
                            ".dtype ." + d + " with .ctype ." + c,
                            "." + d + " twice or ." + c + " twice"));
        }
        if (shape.equals("m8n8k4") && c.equals("f32") && d.equals("f16")) {
            broken.add(
                    Violation.of(
                            Rule.F16_RESULT_OF_F32_ACCUMULATOR,
                            ".dtype .f16 with .ctype .f32",
                            ".dtype .f32"));
        }
        if (shape.equals("m16n8k8") && !a.equals(b)) {
            broken.add(
                    Violation.of(
                            Rule.MULTIPLICAND_TYPES_DIFFER,
                            ".atype ." + a + " with .btype ." + b,
                            "." + a + " twice or ." + b + " twice"));
        }
        return List.copyOf(broken.stream().map(v -> v.in(family.section())).toList());
    }
}
