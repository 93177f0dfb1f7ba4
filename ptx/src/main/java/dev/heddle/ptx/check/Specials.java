package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// The types of the predefined registers (PTX ISA 10).
final class Specials {

    private static final Set<String> VECTORS =
            Set.of(
                    """
                    %tid %ntid %ctaid %nctaid %clusterid %nclusterid %cluster_ctaid
                    %cluster_nctaid
                    """
                            .split("\\s"));

    private Specials() {}

    /// Whether `mov` and `cvt` read it as this type. The oldest of them, 16 bits wide in PTX 1, are
    /// still read so (PTX ISA 10.1, 10.3, 10.6, 10.7, 10.10).
    static boolean reads(
            ScalarType type, Operand.SpecialRegister register, ScalarType actual, boolean relaxed) {
        boolean shorter =
                switch (register.name()) {
                    case "%gridid" -> type.bits() == 16 || type.bits() == 32;
                    case "%tid", "%ntid", "%ctaid", "%nctaid" -> type.bits() == 16;
                    default -> false;
                };
        return Compatibility.register(type, actual, relaxed)
                || (shorter
                        && (type.kind() == ScalarType.Kind.BITS
                                || type.kind() == ScalarType.Kind.UNSIGNED
                                || type.kind() == ScalarType.Kind.SIGNED));
    }

    /// The type of one component or of a scalar, or null where the component is missing or none may
    /// appear.
    static @Nullable ScalarType type(Operand.SpecialRegister register) {
        String component = register.component();
        if (VECTORS.contains(register.name())) {
            return component != null && component.length() == 1 && "xyzw".contains(component)
                    ? ScalarType.U32
                    : null;
        }
        if (component != null) {
            return null;
        }
        return switch (register.name()) {
            case "%clock64", "%globaltimer", "%gridid", "%current_graph_exec" -> ScalarType.U64;
            case "%is_explicit_cluster" -> ScalarType.PRED;
            default -> register.name().endsWith("_64") ? ScalarType.U64 : ScalarType.U32;
        };
    }
}
