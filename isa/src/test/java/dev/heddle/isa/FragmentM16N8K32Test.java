package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.10: mma.m16n8k32")
final class FragmentM16N8K32Test {
    @Test
    void aOfFourBits() {
        mma("m16n8k32", Role.A, "s4", "u4")
                .isVectorOf(2, 8)
                .stands((g, t, i) -> i < 8 ? g : g + 8, (g, t, i) -> t * 8 + (i & 0x7));
    }

    @Test
    void aOfEightBits() {
        mma("m16n8k32", Role.A, "s8", "u8", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
                .isVectorOf(4, 4)
                .stands(
                        (g, t, i) -> i < 4 || (8 <= i && i < 12) ? g : g + 8,
                        (g, t, i) -> i < 8 ? t * 4 + (i & 0x3) : t * 4 + (i & 0x3) + 16);
    }

    @Test
    void bOfFourBits() {
        mma("m16n8k32", Role.B, "s4", "u4")
                .isVectorOf(1, 8)
                .stands((g, t, i) -> t * 8 + (i & 0x7), (g, t, i) -> g);
    }

    @Test
    void bOfEightBits() {
        mma("m16n8k32", Role.B, "s8", "u8", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
                .isVectorOf(2, 4)
                .stands(
                        (g, t, i) -> i < 4 ? t * 4 + (i & 0x3) : t * 4 + (i & 0x3) + 16,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfS32(Role role) {
        mma("m16n8k32", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m16n8k32", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        mma("m16n8k32", role, "f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
