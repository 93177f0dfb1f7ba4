package dev.heddle.ptx.check;

import dev.heddle.ptx.Operand;
import dev.heddle.ptx.ScalarType;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The types of the predefined registers (PTX ISA 10).
final class Specials {

    private static final Set<String> VECTORS =
            Set.of(
                    "%tid",
                    "%ntid",
                    "%ctaid",
                    "%nctaid",
                    "%clusterid",
                    "%nclusterid",
                    "%cluster_ctaid",
                    "%cluster_nctaid");

    private Specials() {}

    /// The type of one component or of a scalar, or null where the component is missing or none may
    /// stand.
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
