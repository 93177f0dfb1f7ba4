package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// B, C and D are those of dense `mma.m16n8k16`, section 9.7.14.5.8.
@DisplayName("PTX ISA 9.7.14.6.2.1: sparse mma.m16n8k16, f16 and bf16")
final class SparseFragmentM16N8K16HalfTest {
    @Test
    void a() {
        sparse("m16n8k16", Role.A, "f16", "bf16")
                .isVectorOf(2, 2)
                .isStoredFrom(
                        (g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 4, (g, t, i) -> t * 4 + 3);
    }

    @Test
    void b() {
        sparse("m16n8k16", Role.B, "f16", "bf16")
                .isVectorOf(2, 2)
                .stands(
                        (g, t, i) -> i < 2 ? t * 2 + (i & 0x1) : t * 2 + (i & 0x1) + 8,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        sparse("m16n8k16", role, "f32")
                .whereAIs("f16", "bf16")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        sparse("m16n8k16", role, "f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
