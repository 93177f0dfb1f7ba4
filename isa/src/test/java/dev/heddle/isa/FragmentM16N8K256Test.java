package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The manual gives the columns of `a0` to `a63` as `threadID_in_group * 32 + i`, which for `i >=
/// 32` would leave the thread's 32 columns; figure 100 and the rest of the section say `i & 0x1F`.
@DisplayName("PTX ISA 9.7.14.5.13: mma.m16n8k256")
final class FragmentM16N8K256Test {
    @Test
    void a() {
        mma("m16n8k256", Role.A, "b1")
                .isVectorOf(4, 32)
                .stands(
                        (g, t, i) -> i < 32 || (64 <= i && i < 96) ? g : g + 8,
                        (g, t, i) -> i < 64 ? t * 32 + (i & 0x1F) : t * 32 + (i & 0x1F) + 128);
    }

    @Test
    void b() {
        mma("m16n8k256", Role.B, "b1")
                .isVectorOf(2, 32)
                .stands(
                        (g, t, i) -> i < 32 ? t * 32 + (i & 0x1F) : t * 32 + (i & 0x1F) + 128,
                        (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        mma("m16n8k256", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
