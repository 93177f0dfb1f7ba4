package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.11: mma.m16n8k64")
final class FragmentM16N8K64Test {
    @Test
    void a() {
        mma("m16n8k64", Role.A, "s4", "u4", "e2m1")
                .isVectorOf(4, 8)
                .stands(
                        (g, t, i) -> i < 8 || (16 <= i && i < 24) ? g : g + 8,
                        (g, t, i) -> i < 16 ? t * 8 + (i & 0x7) : t * 8 + (i & 0x7) + 32);
    }

    @Test
    void b() {
        mma("m16n8k64", Role.B, "s4", "u4", "e2m1")
                .isVectorOf(2, 8)
                .stands(
                        (g, t, i) -> i < 8 ? t * 8 + (i & 0x7) : t * 8 + (i & 0x7) + 32,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfS32(Role role) {
        mma("m16n8k64", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m16n8k64", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
