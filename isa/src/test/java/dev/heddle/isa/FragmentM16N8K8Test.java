package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.7: mma.m16n8k8")
final class FragmentM16N8K8Test {
    @Test
    void aOfF16AndBf16() {
        mma("m16n8k8", Role.A, "f16", "bf16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @Test
    void aOfTf32() {
        mma("m16n8k8", Role.A, "tf32")
                .isVectorOf(4, 1)
                .stands(
                        (g, t, i) -> i == 0 || i == 2 ? g : g + 8,
                        (g, t, i) -> i == 0 || i == 1 ? t : t + 4);
    }

    @Test
    void aOfF64() {
        mma("m16n8k8", Role.A, "f64")
                .isVectorOf(4, 1)
                .stands(
                        (g, t, i) -> i == 0 || i == 2 ? g : g + 8,
                        (g, t, i) -> i == 0 || i == 1 ? t : t + 4);
    }

    @Test
    void bOfF16AndBf16() {
        mma("m16n8k8", Role.B, "f16", "bf16")
                .isVectorOf(1, 2)
                .stands((g, t, i) -> t * 2 + i, (g, t, i) -> g);
    }

    @Test
    void bOfTf32() {
        mma("m16n8k8", Role.B, "tf32")
                .isVectorOf(2, 1)
                .stands((g, t, i) -> i == 0 ? t : t + 4, (g, t, i) -> g);
    }

    @Test
    void bOfF64() {
        mma("m16n8k8", Role.B, "f64")
                .isVectorOf(2, 1)
                .stands((g, t, i) -> i == 0 ? t : t + 4, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        mma("m16n8k8", role, "f16")
                .isVectorOf(2, 2)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m16n8k8", role, "f32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF64(Role role) {
        mma("m16n8k8", role, "f64")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
