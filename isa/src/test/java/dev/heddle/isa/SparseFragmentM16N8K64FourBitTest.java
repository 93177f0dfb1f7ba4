package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// B, C and D are those of dense `mma.m16n8k64`, section 9.7.14.5.11.
@DisplayName("PTX ISA 9.7.14.6.2.7: sparse mma.m16n8k64, u4 and s4")
final class SparseFragmentM16N8K64FourBitTest {
    @Test
    void a() {
        sparse("m16n8k64", Role.A, "u4", "s4")
                .isVectorOf(2, 8)
                .isStoredFrom(
                        (g, t, i) -> i < 8 ? g : g + 8,
                        (g, t, i) -> t * 16,
                        (g, t, i) -> t * 16 + 15);
    }

    @Test
    void b() {
        sparse("m16n8k64", Role.B, "u4", "s4")
                .isVectorOf(2, 8)
                .stands(
                        (g, t, i) -> i < 8 ? t * 8 + (i & 0x7) : t * 8 + (i & 0x7) + 32,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        sparse("m16n8k64", role, "s32")
                .whereAIs("u4", "s4")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
