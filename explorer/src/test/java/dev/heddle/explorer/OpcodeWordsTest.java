package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.Collectors;

@DisplayName("An opcode word by word")
final class OpcodeWordsTest {
    private static String said(String opcode, String word) {
        return OpcodeWords.of(Form.of(opcode)).stream()
                .filter(each -> each.text().equals(word))
                .map(OpcodeWords.Word::meaning)
                .collect(Collectors.joining("; "));
    }

    @Test
    void theWordsOfEveryFormAreItsOpcodeAndEachIsExplained() {
        for (Form form : Forms.all()) {
            List<OpcodeWords.Word> words = OpcodeWords.of(form);
            assertThat(words.stream().map(OpcodeWords.Word::text).collect(Collectors.joining()))
                    .isEqualTo(form.opcode());
            assertThat(words).allSatisfy(word -> assertThat(word.meaning()).isNotBlank());
        }
    }

    /// PTX ISA 9.7.14.5.14: `.dtype.atype.btype.ctype`.
    @Test
    void typesStandInTheOrderOfTheManual() {
        String opcode = "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32";
        assertThat(said(opcode, ".u8"))
                .isEqualTo("an element of A is an unsigned integer of 8 bits");
        assertThat(said(opcode, ".s8")).isEqualTo("an element of B is a signed integer of 8 bits");
        assertThat(said(opcode, ".s32"))
                .isEqualTo(
                        "an element of D is a signed integer of 32 bits;"
                                + " an element of C is a signed integer of 32 bits");
        assertThat(said(opcode, ".m16n8k32"))
                .isEqualTo("A is 16 × 32, B is 32 × 8, C and D are 16 × 8");
    }

    /// PTX ISA 9.7.14.5.14: `.scale_vec::4X` of `.m16n8k64` gives each 16 elements along K a
    /// factor.
    @Test
    void scaleFactorsAreSaidToBeSuch() {
        String opcode =
                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
                        + ".f32.e2m1.e2m1.f32.ue4m3";
        assertThat(said(opcode, ".block_scale")).endsWith("one for each 16 elements along K");
        assertThat(said(opcode, ".scale_vec::4X")).endsWith("each column of B: 4");
        assertThat(said(opcode, ".ue4m3")).startsWith("a scale factor is a float without sign");
    }
}
