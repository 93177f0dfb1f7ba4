package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.4: mma.m8n8k32")
final class FragmentM8N8K32Test {
    @Test
    void a() {
        mma("m8n8k32", Role.A, "s4", "u4")
                .isVectorOf(1, 8)
                .stands((g, t, i) -> g, (g, t, i) -> t * 8 + i);
    }

    @Test
    void b() {
        mma("m8n8k32", Role.B, "s4", "u4")
                .isVectorOf(1, 8)
                .stands((g, t, i) -> t * 8 + i, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        mma("m8n8k32", role, "s32").isVectorOf(2, 1).stands((g, t, i) -> g, (g, t, i) -> t * 2 + i);
    }
}
