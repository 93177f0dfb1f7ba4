package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.9: mma.m16n8k16, integers and fp8")
final class FragmentM16N8K16IntegerTest {
    @Test
    void a() {
        mma("m16n8k16", Role.A, "u8", "s8", "e4m3", "e5m2")
                .isVectorOf(2, 4)
                .stands((g, t, i) -> i < 4 ? g : g + 8, (g, t, i) -> t * 4 + (i & 0x3));
    }

    @Test
    void b() {
        mma("m16n8k16", Role.B, "u8", "s8", "e4m3", "e5m2")
                .isVectorOf(1, 4)
                .stands((g, t, i) -> t * 4 + i, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfS32(Role role) {
        mma("m16n8k16", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m16n8k16", role, "f32")
                .whereAIs("e4m3", "e5m2")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        mma("m16n8k16", role, "f16")
                .whereAIs("e4m3", "e5m2")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
