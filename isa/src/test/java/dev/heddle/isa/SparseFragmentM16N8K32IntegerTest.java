package dev.heddle.isa;

import static dev.heddle.isa.Transcript.sparse;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// B, C and D are those of dense `mma.m16n8k32`, section 9.7.14.5.10.
@DisplayName("PTX ISA 9.7.14.6.2.5: sparse mma.m16n8k32, u8 and s8")
final class SparseFragmentM16N8K32IntegerTest {
    @Test
    void a() {
        sparse("m16n8k32", Role.A, "u8", "s8")
                .isVectorOf(2, 4)
                .isStoredFrom(
                        (g, t, i) -> i < 4 ? g : g + 8, (g, t, i) -> t * 8, (g, t, i) -> t * 8 + 7);
    }

    @Test
    void b() {
        sparse("m16n8k32", Role.B, "u8", "s8")
                .isVectorOf(2, 4)
                .stands(
                        (g, t, i) -> i < 4 ? t * 4 + (i & 0x3) : t * 4 + (i & 0x3) + 16,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        sparse("m16n8k32", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
