package dev.heddle.isa;

import static dev.heddle.isa.Transcript.mma;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Four products: lanes 0-3 and 16-19 hold the first, 4-7 and 20-23 the second, and so on.
@DisplayName("PTX ISA 9.7.14.5.1: mma.m8n8k4, f16")
final class FragmentM8N8K4HalfTest {
    private static int computation(int laneid) {
        return laneid % 16 / 4;
    }

    @Test
    void aByRows() {
        mma("m8n8k4", Role.A, "f16")
                .where(Qualifier.ALAYOUT, "row")
                .isVectorOf(2, 2)
                .stands(
                        (laneid, i) -> {
                            int row = laneid < 16 ? laneid % 4 : laneid % 4 + 4;
                            int col = i;
                            return new Position(row, col, computation(laneid));
                        });
    }

    @Test
    void aByColumns() {
        mma("m8n8k4", Role.A, "f16")
                .where(Qualifier.ALAYOUT, "col")
                .isVectorOf(2, 2)
                .stands(
                        (laneid, i) -> {
                            int row = laneid < 16 ? i % 4 : i % 4 + 4;
                            int col = laneid % 4;
                            return new Position(row, col, computation(laneid));
                        });
    }

    @Test
    void bByRows() {
        mma("m8n8k4", Role.B, "f16")
                .where(Qualifier.BLAYOUT, "row")
                .isVectorOf(2, 2)
                .stands(
                        (laneid, i) -> {
                            int row = laneid % 4;
                            int col = laneid < 16 ? i : i + 4;
                            return new Position(row, col, computation(laneid));
                        });
    }

    @Test
    void bByColumns() {
        mma("m8n8k4", Role.B, "f16")
                .where(Qualifier.BLAYOUT, "col")
                .isVectorOf(2, 2)
                .stands(
                        (laneid, i) -> {
                            int row = i;
                            int col = laneid < 16 ? laneid % 4 : laneid % 4 + 4;
                            return new Position(row, col, computation(laneid));
                        });
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF16(Role role) {
        mma("m8n8k4", role, "f16")
                .isVectorOf(4, 2)
                .stands(
                        (laneid, i) -> {
                            int row = laneid < 16 ? laneid % 4 : laneid % 4 + 4;
                            int col = i;
                            return new Position(row, col, computation(laneid));
                        });
    }

    @ParameterizedTest
    @EnumSource(names = {"C", "D"})
    void cAndDOfF32(Role role) {
        mma("m8n8k4", role, "f32")
                .isVectorOf(8, 1)
                .stands(
                        (laneid, i) -> {
                            int x = (laneid & 0b1) + (i & 0b10);
                            int row = laneid < 16 ? x : x + 4;
                            int col = (i & 0b100) + (laneid & 0b10) + (i & 0b1);
                            return new Position(row, col, computation(laneid));
                        });
    }
}
