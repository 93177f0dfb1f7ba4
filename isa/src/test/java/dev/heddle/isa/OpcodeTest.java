package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("Opcodes taken apart")
final class OpcodeTest {
    @Test
    void everyFormReadsAsItPrints() {
        for (Form form : Forms.all()) {
            Opcode opcode = Opcode.parse(form.opcode());
            assertThat(opcode.family()).isEqualTo(form.family());
            assertThat(opcode.qualifiers()).isEqualTo(form.words());
            assertThat(opcode.violations()).isEmpty();
        }
    }

    @Test
    void qualifiersStandInAnyOrder() {
        Opcode usual = Opcode.parse("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.u8.s32");
        for (String other :
                new String[] {
                    "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32.satfinite",
                    "mma.satfinite.aligned.s32.row.s8.col.u8.m16n8k16.s32.sync",
                    "mma.sync.aligned.m16n8k16.satfinite.row.col.s32.s8.u8.s32.satfinite"
                }) {
            assertThat(Opcode.parse(other)).isEqualTo(usual);
        }
    }

    @Test
    void typesAreThoseOfDAndAAndBAndCAndTheScale() {
        Opcode opcode =
                Opcode.parse(
                        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale"
                                + ".f32.e4m3.e2m1.f32.ue8m0");
        assertThat(opcode.get(Qualifier.DTYPE)).isEqualTo("f32");
        assertThat(opcode.get(Qualifier.ATYPE)).isEqualTo("e4m3");
        assertThat(opcode.get(Qualifier.BTYPE)).isEqualTo("e2m1");
        assertThat(opcode.get(Qualifier.CTYPE)).isEqualTo("f32");
        assertThat(opcode.get(Qualifier.STYPE)).isEqualTo("ue8m0");
    }

    @Test
    void theFamilyIsReadWherever() {
        assertThat(Opcode.parse("mma.sync.sp.aligned").family()).isEqualTo(Family.MMA_SP);
        assertThat(Opcode.parse("wgmma.mma_async.sp.sync").family()).isEqualTo(Family.WGMMA_SP);
    }

    @Test
    void otherInstructionsAreRefused() {
        for (String text : new String[] {"", "wmma.mma.sync", "wgmma.fence.sync", "mmax", "add"}) {
            assertThat(Opcode.isMatrixOpcode(text)).isFalse();
            assertThatThrownBy(() -> Opcode.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "\""
                                    + text
                                    + "\" is no matrix instruction of this model: expected an"
                                    + " opcode that begins with mma, mma.sp,"
                                    + " mma.sp::ordered_metadata, wgmma.mma_async or"
                                    + " wgmma.mma_async.sp");
        }
    }

    @Test
    void theNearestWordIsSuggestedAndNoFarOne() {
        List<String> words = List.of("row", "col", "satfinite", "m16n8k16");
        assertThat(Suggestion.nearest("cl", words)).contains("col");
        assertThat(Suggestion.nearest("satfinit", words)).contains("satfinite");
        assertThat(Suggestion.nearest("xyz", words)).isEmpty();
        assertThat(Suggestion.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Suggestion.distance("", "abc")).isEqualTo(3);
    }
}
