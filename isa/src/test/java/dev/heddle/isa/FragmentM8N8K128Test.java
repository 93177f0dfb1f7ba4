package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.5: mma.m8n8k128")
final class FragmentM8N8K128Test {
    @Test
    void a() {
        mma("m8n8k128", Role.A, "b1")
                .isVectorOf(1, 32)
                .stands((g, t, i) -> g, (g, t, i) -> t * 32 + i);
    }

    @Test
    void b() {
        mma("m8n8k128", Role.B, "b1")
                .isVectorOf(1, 32)
                .stands((g, t, i) -> t * 32 + i, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        mma("m8n8k128", role, "s32")
                .isVectorOf(2, 1)
                .stands((g, t, i) -> g, (g, t, i) -> t * 2 + i);
    }
}
