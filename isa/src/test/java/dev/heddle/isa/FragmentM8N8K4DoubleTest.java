package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("PTX ISA 9.7.14.5.2: mma.m8n8k4, f64")
final class FragmentM8N8K4DoubleTest {
    @Test
    void a() {
        mma("m8n8k4", Role.A, "f64").isVectorOf(1, 1).stands((g, t, i) -> g, (g, t, i) -> t);
    }

    @Test
    void b() {
        mma("m8n8k4", Role.B, "f64").isVectorOf(1, 1).stands((g, t, i) -> t, (g, t, i) -> g);
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndD(Role role) {
        mma("m8n8k4", role, "f64")
                .isVectorOf(2, 1)
                .stands((g, t, i) -> g, (g, t, i) -> t * 2 + (i & 0x1));
    }
}
