package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.explorer.DrawnFigure.Spot;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("Figures of operands")
final class FigureTest {
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String ORDERED = "mma.sp::ordered_metadata.sync.aligned.";

    private static DrawnFigure draw(
            String opcode, OperandName operand, LayoutEntry.Selection selection) {
        return DrawnFigure.of(Figure.of(Form.of(opcode), operand, selection).svg());
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.5.8: A of m16n8k16, floating point, pairs of elements a register")
    void halfPrecisionAShowsPairs() {
        DrawnFigure drawn = draw(DENSE, OperandName.A, LayoutEntry.Selection.FIRST);

        assertThat(drawn.labels).hasSize(128);
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < 8; i += 2) {
                int row = i < 2 || (i >= 4 && i < 6) ? lane / 4 : lane / 4 + 8; // manual's words
                int column = lane % 4 * 2 + (i < 4 ? 0 : 8);
                Spot spot = new Spot(0, row, column + 1); // the middle of a pair
                assertThat(drawn.labels)
                        .containsEntry(spot, "T" + lane + ": a" + i + " a" + (i + 1));
                assertThat(drawn.details).containsEntry(spot, "r" + i / 2);
            }
        }
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.5.7: C of m16n8k8 with .f64, one 64-bit register an element")
    void doublePrecisionCShowsSingleElements() {
        DrawnFigure drawn =
                draw(
                        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
                        OperandName.C,
                        LayoutEntry.Selection.FIRST);

        assertThat(drawn.labels).hasSize(128);
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < 4; i++) {
                int row = i < 2 ? lane / 4 : lane / 4 + 8; // the manual's words
                int column = lane % 4 * 2 + (i & 1);
                assertThat(drawn.labels)
                        .containsEntry(new Spot(0, row, column), "T" + lane + " c" + i);
            }
        }
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.2.7: the whole word of m16n8k64 .s4 metadata is one row")
    void metadataOfFourBitTypesShowsWholeWords() {
        DrawnFigure drawn =
                draw(
                        ORDERED + "m16n8k64.row.col.s32.s4.s4.s32",
                        OperandName.E,
                        new LayoutEntry.Selection(1, 0));

        for (int row = 0; row < 16; row++) {
            for (int chunk = 0; chunk < 8; chunk++) {
                int lane = row % 8 * 4 + 2 + row / 8;
                assertThat(drawn.labels)
                        .containsEntry(
                                new Spot(0, row, chunk),
                                "T" + lane + " [" + (4 * chunk + 3) + ".." + 4 * chunk + "]");
            }
        }
        assertThat(drawn.texts("column")).startsWith("0..7", "8..15").endsWith("56..63");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.2.3: A of sparse m16n8k16 .tf32 stands on stored columns")
    void sparseANamesTheDenseColumnsOfEachChunk() {
        DrawnFigure drawn =
                draw(
                        ORDERED + "m16n8k16.row.col.f32.tf32.tf32.f32",
                        OperandName.A,
                        LayoutEntry.Selection.FIRST);

        assertThat(drawn.texts("column")).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
        assertThat(drawn.texts("over"))
                .containsExactly(
                        "0..1", "2..3", "4..5", "6..7", "8..9", "10..11", "12..13", "14..15");
        assertThat(drawn.labels).containsEntry(new Spot(0, 9, 6), "T6 a3");
        assertThat(String.join(" ", drawn.texts("caption")))
                .contains("PTX ISA 9.7.14.6.2.3, figure 123")
                .contains("row = element0 lane4 lane3 lane2; column = element1 lane1 lane0");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.5.13: 32 single bits of a row stand in one register")
    void singleBitsShowWholeRegisters() {
        DrawnFigure drawn =
                draw(
                        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc",
                        OperandName.A,
                        LayoutEntry.Selection.FIRST);

        assertThat(drawn.labels).hasSize(128);
        assertThat(drawn.labels).containsEntry(new Spot(0, 0, 16), "T0: a0..a31");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.3: scale factors of mxf4 stand in the bytes that byte-id picks")
    void scaleFactorsShowBytes() {
        DrawnFigure drawn =
                draw(
                        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X"
                                + ".f32.e2m1.e2m1.f32.ue8m0",
                        OperandName.SFA,
                        new LayoutEntry.Selection(2, 1));

        assertThat(drawn.labels)
                .hasSize(32)
                .containsEntry(new Spot(0, 0, 0), "T2 [23..16]")
                .containsEntry(new Spot(0, 8, 1), "T3 [31..24]");
    }

    @Test
    void quadPairsShowFourComputations() {
        DrawnFigure drawn =
                draw(
                        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
                        OperandName.A,
                        LayoutEntry.Selection.FIRST);

        assertThat(drawn.texts("over")).contains("computation 0", "computation 3");
        assertThat(drawn.labels).containsEntry(new Spot(3, 4, 1), "T28: a0 a1");
    }

    @Test
    void refusalsNameWhatTheFormHas() {
        Form dense = Form.of(DENSE);
        Form wgmma =
                Form.of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", ASource.SHARED_MEMORY);
        Form sparse = Form.of(ORDERED + "m16n8k16.row.col.f32.f16.f16.f32");

        assertThatThrownBy(() -> Figure.of(dense, OperandName.E, LayoutEntry.Selection.FIRST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        DENSE
                                + " has no operand E: expected one of A B C D"
                                + " (PTX ISA 9.7.14.5.14)");
        for (OperandName shared : List.of(OperandName.A, OperandName.B)) {
            assertThatThrownBy(() -> Figure.of(wgmma, shared, LayoutEntry.Selection.FIRST))
                    .hasMessageContaining("reads operand " + shared + " from shared memory");
        }
        assertThatThrownBy(() -> Figure.of(sparse, OperandName.E, new LayoutEntry.Selection(4, 0)))
                .hasMessageStartingWith("sparsity selector 4: expected one of [0, 1, 2, 3]");
        assertThatThrownBy(() -> OperandName.parse("X"))
                .hasMessageContaining("A, B, C, D, E, SFA or SFB");
    }
}
