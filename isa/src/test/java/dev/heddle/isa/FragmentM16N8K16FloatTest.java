package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.8: mma.m16n8k16, floating point")
final class FragmentM16N8K16FloatTest {
    @Test
    void aOfF16AndBf16() {
        mma("m16n8k16", Role.A, "f16", "bf16")
                .isVectorOf(4, 2)
                .stands(
                        (g, t, i) -> i < 2 || (4 <= i && i < 6) ? g : g + 8,
                        (g, t, i) -> i < 4 ? t * 2 + (i & 0x1) : t * 2 + (i & 0x1) + 8);
    }

    @Test
    void aOfF64() {
        mma("m16n8k16", Role.A, "f64")
                .isVectorOf(8, 1)
                .stands(
                        (g, t, i) -> i % 2 == 0 ? g : g + 8,
                        (g, t, i) -> i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t);
    }

    @Test
    void bOfF16AndBf16() {
        mma("m16n8k16", Role.B, "f16", "bf16")
                .isVectorOf(2, 2)
                .stands(
                        (g, t, i) -> i < 2 ? t * 2 + (i & 0x1) : t * 2 + (i & 0x1) + 8,
                        (g, t, i) -> g);
    }

    @Test
    void bOfF64() {
        mma("m16n8k16", Role.B, "f64")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> t + i * 4, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF64(Role role) {
        mma("m16n8k16", role, "f64")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m16n8k16", role, "f32")
                .whereAIs("f16", "bf16")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        mma("m16n8k16", role, "f16")
                .whereAIs("f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
