package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.12: mma.m16n8k128")
final class FragmentM16N8K128Test {
    @Test
    void a() {
        mma("m16n8k128", Role.A, "b1")
                .isVectorOf(2, 32)
                .stands((g, t, i) -> i < 32 ? g : g + 8, (g, t, i) -> t * 32 + (i & 0x1F));
    }

    @Test
    void b() {
        mma("m16n8k128", Role.B, "b1")
                .isVectorOf(1, 32)
                .stands((g, t, i) -> t * 32 + i, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        mma("m16n8k128", role, "s32")
                .isVectorOf(4, 1)
                .stands((g, t, i) -> i < 2 ? g : g + 8, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
