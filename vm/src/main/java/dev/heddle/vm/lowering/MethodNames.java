package dev.heddle.vm.lowering;

import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.util.Map;

/// The parts of the names of semantic methods that types and rounding give.
final class MethodNames {
    private static final Map<String, String> ROUNDING_SUFFIX =
            Map.of("rn", "", "rz", "Rz", "rm", "Rm", "rp", "Rp", "rna", "Rna");

    private MethodNames() {}

    /// `Rz`, `Rm`, `Rp`, or nothing for round to nearest even.
    static String rounding(BoundInstruction form) {
        for (String qualifier : form.instruction().qualifiers()) {
            String suffix = ROUNDING_SUFFIX.get(qualifier);
            if (suffix != null) {
                return suffix;
            }
        }
        return "";
    }

    static boolean isSigned(ScalarType type) {
        return type.kind() == ScalarType.Kind.SIGNED;
    }

    /// `S32`, `U32`, `S64` or `U64`: the suffix of an integer method for this type, 16 bits working
    /// in 32.
    static String suffix(ScalarType type) {
        return (isSigned(type) ? "S" : "U") + (type.bits() == 64 ? 64 : 32);
    }
}
