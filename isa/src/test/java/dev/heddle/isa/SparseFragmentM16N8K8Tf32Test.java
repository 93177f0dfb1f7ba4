package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// B, C and D are those of dense `mma.m16n8k8`, section 9.7.14.5.7.
@DisplayName("PTX ISA 9.7.14.6.2.4: sparse mma.m16n8k8, tf32")
final class SparseFragmentM16N8K8Tf32Test {
    @Test
    void a() {
        sparse("m16n8k8", Role.A, "tf32")
                .isVectorOf(2, 1)
                .isStoredFrom(
                        (g, t, i) -> i == 0 ? g : g + 8,
                        (g, t, i) -> t * 2,
                        (g, t, i) -> t * 2 + 1);
    }

    @Test
    void b() {
        sparse("m16n8k8", Role.B, "tf32")
                .isVectorOf(2, 1)
                .stands((g, t, i) -> i == 0 ? t : t + 4, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        sparse("m16n8k8", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
