package dev.heddle.isa.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

@DisplayName("Finding a form by words")
final class FormSearchTest {
    private static final String HALF = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

    private static String best(String text) {
        FormSearch search = FormSearch.of(text);
        assertThat(search.forms()).as(text).isNotEmpty();
        return search.forms().getFirst().form().opcode();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "f16 16x8x16 | mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                "FP16, M16N8K16 | mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                "half | mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                "wgmma e4m3 sparse | wgmma.mma_async.sp.sync.aligned.m64n128k64.f32.e4m3.e4m3",
                "64x256x16 bf16 | wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16",
                "int8 | mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
                "fp8 sm_89 | mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
                "e5m2 e4m3 | mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32",
                "int8 sp | mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32",
                "s8 sparse ordered k32 | mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col"
                        + ".s32.s8.s8.s32",
                "nvfp4 | mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale"
                        + ".scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
                "double 8x8x4 rz | mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64",
                "b1 and popc k256 | mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
                "row row f16 | mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32",
            })
    void wordsInAnySpellingFindThePlainestForm(String text, String opcode) {
        assertThat(best(text)).isEqualTo(opcode);
        assertThat(best(text.toUpperCase(Locale.ROOT))).isEqualTo(opcode);
    }

    /// Names as cuobjdump and nvdisasm print them, with the opcodes that ptxas made them of: read
    /// in public disassemblies of kernels for sm_70, sm_80, sm_89, sm_90a and sm_120a.
    @ParameterizedTest
    @CsvSource({
        "HMMA.884.F32.F32.STEP0, mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
        "HMMA.16816.F32, mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "HMMA.16816.F16, mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "HMMA.16816.F32.BF16, mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        "HMMA.1688.F32.TF32, mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        "IMMA.16832.S8.S8, mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
        "IMMA.8816.S8.S8.SAT, mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32",
        "IMMA.16832.U8.U8, mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32",
        "BMMA.168256.AND.POPC, mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
        "BMMA.88128.XOR.POPC, mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc",
        "DMMA.884, mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        "DMMA.8x8x4, mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        "QMMA.16832.F32.E4M3.E4M3, mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32",
        "QMMA.16816.F16.E4M3.E4M3, mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e4m3.f16",
        "HGMMA.64x256x16.F32.BF16, wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16",
        "QGMMA.64x128x32.F32.E4M3.E5M2, wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2",
        "QGMMA.64x128x32.F16.E4M3.E4M3, wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e4m3",
        "IGMMA.64x64x32.S8.S8.SAT," + " wgmma.mma_async.sync.aligned.m64n64k32.satfinite.s32.s8.s8",
        "HGMMA.SP.64x64x32, wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16",
        "OMMA.SF.16864.F32.E2M1.E2M1.UE4M3.4X,"
                + " mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
                + ".f32.e2m1.e2m1.f32.ue4m3",
        "QMMA.SF.16832.F32.E4M3.E4M3.E8,"
                + " mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X"
                + ".f32.e4m3.e4m3.f32.ue8m0",
    })
    void namesOfDisassemblersAreUnderstood(String name, String opcode) {
        assertThat(FormSearch.of(name).complete()).isTrue();
        assertThat(best(name)).isEqualTo(opcode);
    }

    @Test
    void sparseNamesFindSparseForms() {
        for (String name : List.of("QGMMA.SP", "HMMA.SP.16832.F32", "IMMA.SP.16864.S8.S8")) {
            assertThat(FormSearch.of(name).forms())
                    .as(name)
                    .isNotEmpty()
                    .allMatch(match -> match.form().sparse());
        }
        assertThat(FormSearch.of("HMMA.16816.F32").forms())
                .noneMatch(match -> match.form().sparse());
    }

    @Test
    void anOpcodeIsFoundHoweverItIsWritten() {
        for (String text :
                List.of(
                        HALF,
                        "  " + HALF.toUpperCase(Locale.ROOT) + " // the usual one",
                        HALF + " {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0};",
                        "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.\"\n"
                                + "  \"f32.f16.f16.f32 {%0,%1,%2,%3}, \\n\\t\" : \"=f\"(d[0]));",
                        "/* before */ " + HALF)) {
            FormSearch search = FormSearch.of(text);
            assertThat(search.forms()).as(text).hasSize(1);
            assertThat(best(text)).isEqualTo(HALF);
        }
    }

    @Test
    void severalInstructionsGiveSeveralForms() {
        String other = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16";
        assertThat(FormSearch.of(HALF + ";\n" + other + ";").forms())
                .extracting(match -> match.form().opcode())
                .containsExactly(HALF, other, other);
    }

    /// Its own words, in any case and any order that keeps types and layouts apart, find each form.
    @Test
    void everyFormIsFoundByItsWords() {
        Random random = new Random(20_261_122);
        for (Form form : Forms.all()) {
            if (form.family().warpgroup() && form.shape().n() != 128) {
                continue; // the same words but for the width
            }
            List<String> words = new ArrayList<>();
            StringBuilder ordered = new StringBuilder();
            for (String word : form.opcode().split("\\.", -1)) {
                boolean placed = Vocabulary.of(word).stream().anyMatch(c -> !c.types().isEmpty());
                if (placed || word.equals("row") || word.equals("col") || word.equals("and")) {
                    ordered.append(word).append(word.equals("and") ? ".popc " : " ");
                } else if (!word.equals("popc")) {
                    words.add(word);
                }
            }
            Collections.shuffle(words, random);
            String text = (String.join(" ", words) + " " + ordered).toUpperCase(Locale.ROOT);
            FormSearch search = FormSearch.of(text);
            assertThat(search.complete()).as(text).isTrue();
            assertThat(search.unknown()).as(text).isEmpty();
            assertThat(search.forms()).as(text).anyMatch(match -> match.form().equals(form));
        }
    }

    @Test
    void whatNoFormHasIsNamedBesideTheNearest() {
        FormSearch search = FormSearch.of("m16n8k17 f16");
        assertThat(search.complete()).isFalse();
        assertThat(search.forms().getFirst().missed()).containsExactly("k17");
        assertThat(best("m16n8k17 f16")).isEqualTo(HALF);
    }

    @Test
    void wordsThatAreNotUnderstoodAreSaid() {
        assertThat(FormSearch.of("hello").forms()).isEmpty();
        assertThat(FormSearch.of("hello").unknown())
                .containsExactly("\"hello\" was not understood");
        assertThat(FormSearch.of("sparze bf16").unknown())
                .containsExactly("\"sparze\" was read as \"sparse\"");
        assertThat(FormSearch.of("").forms()).isEmpty();
    }

    /// The opcode's own message stands elsewhere; the search goes by the words that are right.
    @Test
    void aWrongOpcodeFindsWhatItResembles() {
        assertThat(best("mma.sync.aligned.m16n8k16.row.col.f23.f16.f16.f32")).isEqualTo(HALF);
        assertThat(best("mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32"))
                .startsWith("mma.sync.aligned.m16n8k");
    }

    @Test
    void longAndStrangeTextsAreRead() {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j < 60; j++) {
                text.append((char) (random.nextInt(4) == 0 ? random.nextInt(0xd800) : 33 + j));
            }
            assertThat(FormSearch.of(text.toString()).text()).isEqualTo(text.toString());
        }
        assertThat(FormSearch.of("f16 ".repeat(100_000)).complete()).isTrue();
        assertThat(FormSearch.of("/*".repeat(10_000) + "\"".repeat(10_000)).forms()).isEmpty();
    }

    @Test
    void filtersTakeTheSameWords() {
        assertThat(Forms.all().stream().filter(FormFilter.shape("16X8x64")))
                .isNotEmpty()
                .allMatch(form -> form.shape().toString().equals("m16n8k64"));
        assertThat(Forms.all().stream().filter(FormFilter.type("fp6")))
                .isNotEmpty()
                .allMatch(form -> form.opcode().contains("e3m2") || form.opcode().contains("e2m3"));
        assertThat(Forms.all().stream().filter(FormFilter.kind("sparse")))
                .isNotEmpty()
                .allMatch(form -> form.family() != Family.MMA && form.sparse());
        assertThatThrownBy(() -> FormFilter.shape("f16")).hasMessageContaining("m16n8k16");
        assertThatThrownBy(() -> FormFilter.type("sparse")).hasMessageContaining("bf16");
        assertThatThrownBy(() -> FormFilter.kind("f16")).hasMessageContaining("mxf4");
    }

    @Test
    void tabsGrowAnOpcodeByOneQualifier() {
        assertThat(OpcodeCompletion.of("mma.s"))
                .containsExactly("mma.sp.", "mma.sp::ordered_metadata.", "mma.sync.");
        assertThat(OpcodeCompletion.of("mma.sync.al"))
                .contains("mma.sync.aligned.m16n8k16.")
                .allMatch(word -> word.matches("mma\\.sync\\.aligned\\.m\\d+n8k\\d+\\."));
        assertThat(OpcodeCompletion.of(HALF.substring(0, HALF.length() - 1))).containsExactly(HALF);
        assertThat(OpcodeCompletion.of("f16.16x8x16")).containsExactly(HALF);
        assertThat(OpcodeCompletion.of("nothing")).isEmpty();
    }

    /// From nothing to each opcode, always by one of the words that are offered.
    @Test
    void everyOpcodeCanBeReachedByTabs() {
        for (Form form : Forms.all()) {
            if (form.family() == Family.WGMMA || form.family() == Family.WGMMA_SP) {
                continue; // the same path 2,148 times
            }
            String word = "";
            for (int tabs = 0; !word.equals(form.opcode()); tabs++) {
                assertThat(tabs).isLessThan(20);
                String before = word;
                word =
                        OpcodeCompletion.of(word).stream()
                                .filter(next -> !next.equals(before))
                                .filter(next -> (form.opcode() + ".").startsWith(next))
                                .filter(next -> form.opcode().equals(next) || next.endsWith("."))
                                .max(java.util.Comparator.comparingInt(String::length))
                                .orElseThrow(
                                        () -> new AssertionError(form.opcode() + " " + before));
            }
        }
    }

    /// Each type of a mnemonic is A's of some form of its instruction, and each such type is there.
    @Test
    void theDocumentHasTheMnemonics() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "find.md"));
        for (SassName name : SassName.all()) {
            assertThat(document)
                    .contains(
                            "| `%s` | `%s` | %s |"
                                    .formatted(
                                            name.mnemonic(),
                                            name.warpgroup() ? "wgmma.mma_async" : "mma",
                                            String.join(" ", name.types())));
        }
        for (Form form : Forms.all()) {
            assertThat(SassName.all())
                    .as(form.opcode())
                    .anyMatch(
                            name ->
                                    name.warpgroup() == form.family().warpgroup()
                                            && name.types().contains(form.type(Role.A).ptxName()));
        }
    }
}
