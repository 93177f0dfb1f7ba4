package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

@DisplayName("heddle where, layout, explain, forms")
final class LookUpTest {
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String SPARSE = "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32";

    /// PTX ISA 9.7.14.5.8: row = groupID + 8 for a6, col = (threadID_in_group * 2) + (i & 1) + 8.
    @Test
    void whereNamesLaneRegisterAndBits() {
        assertThat(Ran.heddle("where", DENSE, "A", "--element", "9,10").out())
                .startsWith("lane 5 register 3 bits 15..0: element a6 = A[9][10]")
                .contains("PTX ISA 9.7.14.5.8, figure 79");
    }

    @Test
    void whereListsWhatALaneHolds() {
        Ran ran = Ran.heddle("where", DENSE, "C", "--lane", "5", "--json");
        assertThat(ran.code()).isZero();
        assertThat(ran.out().strip()).startsWith("[{\"lane\":5,\"register\":0").endsWith("}]");
    }

    /// metadata.md: m16n8k64 8-bit: lane u = t & 1 selects the row half, v = t >> 1 the columns.
    @Test
    void whereFindsTheMetadataOfAChunk() {
        assertThat(Ran.heddle("where", SPARSE, "E", "--element", "11,45").out())
                .startsWith("lane 15 bits 15..12: metadata of the chunk A[11][44..47]");
    }

    @Test
    void layoutPrintsOneElementALine() {
        List<String> lines = Ran.heddle("layout", DENSE, "A", "--as", "tsv").out().lines().toList();
        assertThat(lines).hasSize(16 * 16).contains("5\t3\t15\t0\t9\t10\t10");
        Set<String> places = new HashSet<>();
        for (String line : lines) {
            String[] cells = line.split("\t", -1);
            assertThat(cells).hasSize(7);
            places.add(cells[4] + "," + cells[5]);
        }
        assertThat(places).hasSize(256);
    }

    @Test
    void explainPassesOverComments() {
        assertThat(Ran.heddle("explain", "/* D */ " + DENSE + "; // one product").out())
                .isEqualTo(Ran.heddle("explain", DENSE).out());
    }

    @Test
    void layoutAsCsvAndMarkdownHasAHeader() {
        List<String> csv = Ran.heddle("layout", DENSE, "A", "--as", "csv").out().lines().toList();
        assertThat(csv).hasSize(1 + 16 * 16).contains("5,3,15,0,9,10,10");
        assertThat(csv.getFirst())
                .isEqualTo("lane,register,bit_high,bit_low,row,column_first,column_last");
        assertThat(Ran.heddle("layout", SPARSE, "E", "--as", "markdown").out())
                .startsWith("| lane | bit_high |")
                .contains("| ---: |");
    }

    @Test
    void layoutOfMetadataHasOnlySelectedLanes() {
        String opcode = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        List<String> lines =
                Ran.heddle("layout", opcode, "E", "--selector", "2", "--as", "tsv")
                        .out()
                        .lines()
                        .toList();
        assertThat(lines)
                .hasSize(64)
                .allMatch(line -> Integer.parseInt(line.split("\t", -1)[0]) % 4 == 2)
                .contains("6\t23\t20\t9\t4\t7");
    }

    @Test
    void layoutDrawsAnSvg() {
        Ran ran = Ran.heddle("layout", DENSE, "A", "--as", "svg");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("<svg").contains("9.7.14.5.8");
    }

    @Test
    void explainNamesEveryBrokenRule() {
        Ran ran =
                Ran.heddle(
                        "explain",
                        "--target",
                        "sm_75",
                        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3},"
                                + " {%r0,%r1,%r2}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r8, 2;");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("operand a has 3 registers; allowed: 4 .f16x2 registers")
                .contains("sparsity selector f = 2; allowed: 0 (threads T0, T1) or 1")
                .contains("found sm_75; allowed: sm_80 or higher")
                .contains("advice");
    }

    @Test
    void explainShowsBothSourcesOfWgmmasA() {
        String out =
                Ran.heddle("explain", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16").out();
        assertThat(out).contains("a-desc").contains("imm-trans-a").contains("A 64x16 f16 in 4");
    }

    @Test
    void explainTellsWhatARuleIsFor() {
        Ran ran = Ran.heddle("explain", "data-race");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("undefined behavior (error), group races, PTX ISA 8.7.1")
                .contains("Wrong, run by 64 threads:")
                .contains("bar.sync 0;")
                .contains("What to do: Put a barrier");
        assertThat(Ran.heddle("explain", "shared-race").out()).isEqualTo(ran.out());
        assertThat(Ran.heddle("explain", "data-race", "--json").out())
                .startsWith("{\"rule\":\"data-race\",\"group\":\"races\"")
                .contains(".visible .entry kernel(");
        assertThat(Ran.heddle("explain", "--rules").out().lines())
                .hasSize(Rule.values().length)
                .anyMatch(line -> line.startsWith("use-after-free "));
    }

    @Test
    void explainSuggestsARuleOfNearlyThatName() {
        Ran ran = Ran.heddle("explain", "data-rece");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("no rule 'data-rece'")
                .contains("try: heddle explain data-race");
    }

    @Test
    void explainStatesTheEvidenceOfTheNumerics() {
        assertThat(Ran.heddle("explain", DENSE).out())
                .contains("sm_90: one fused sum of all products and C; terms truncated at 25")
                .contains("MEASURED NVIDIA H200")
                .contains("PUBLISHED");
    }

    @Test
    void bothSpellingsOfSatfiniteAreTheSame() {
        String before = "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32";
        String behind = "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32.satfinite";
        assertThat(Ran.heddle("explain", behind).out())
                .isEqualTo(Ran.heddle("explain", before).out());
    }

    @Test
    void formsOfAProgram(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("used.ptx"),
                        """
                        .version 8.0
                        .target sm_80
                        .address_size 64
                        .visible .entry k() {
                          .reg .b32 %a<4>, %b<2>;
                          .reg .f32 %c<4>;
                          mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
                            {%c0,%c1,%c2,%c3}, {%a0,%a1}, {%b0}, {%c0,%c1,%c2,%c3};
                          mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32
                            {%c0,%c1,%c2,%c3}, {%a2,%a3}, {%b1}, {%c0,%c1,%c2,%c3};
                          mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
                            {%c0,%c1,%c2,%c3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};
                          ret;
                        }
                        """);
        assertThat(Ran.heddle("forms", "--in", file.toString()).out().lines())
                .containsExactlyInAnyOrder(
                        "     2  mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
                        "     1  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        assertThat(Ran.heddle("forms", "--in", file.toString(), "--shape", "k16", "--json").out())
                .startsWith("{\"opcode\":\"mma.sync.aligned.m16n8k16")
                .endsWith("\"places\":1}\n");
        Files.writeString(file, ".version 8.0\n.target sm_80\n.visible .entry k() { nonsense; }");
        Ran refused = Ran.heddle("forms", "--in", file.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("an assembler would reject it: heddle check");
    }

    @Test
    void formsFilterByFamilyTargetAndVersion() {
        Ran ran = Ran.heddle("forms", "--family", "mma.sp", "--target", "sm_80", "--ptx", "7.1");
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .isNotEmpty()
                .allMatch(line -> line.startsWith("mma.sp.sync.aligned."))
                .noneMatch(line -> line.contains("e4m3"));
        assertThat(Ran.heddle("forms", "--family", "wgmma.mma_async", "--target", "sm_90").out())
                .isEmpty();
    }

    @Test
    void everyCommandHasHelpWithExamples() {
        for (String name : Main.complete().getSubcommands().keySet()) {
            Ran ran = Ran.heddle(name, "--help");
            assertThat(ran.code()).as(name).isZero();
            if (!name.equals("rehearse")) {
                assertThat(ran.out()).as(name).contains("Examples:");
            }
        }
    }

    @Test
    void completionIsAScript() {
        assertThat(Ran.heddle("completion").out()).contains("complete -F").contains("explain");
    }

    /// PTX ISA 9.7.3.16: the maximum relative error of rsqrt.f32 is 2^-22.9.
    @Test
    void explainStatesBoundAndEvidenceOfAnApproximateFunction() {
        Ran ran = Ran.heddle("explain", "rsqrt.approx.ftz.f32");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("PTX ISA 9.7.3.16", "relative error at most 2^-22.9", "MUFU.RSQ(a)")
                .contains("sm_90: MEASURED NVIDIA H100 and H200")
                .contains("sm_80: ASSUMED");
    }

    @Test
    void aDashReadsTheInstructionFromStandardInput() {
        java.io.InputStream before = System.in;
        String opcode = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
        System.setIn(
                new java.io.ByteArrayInputStream(
                        opcode.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        try {
            assertThat(Ran.heddle("explain", "-").out())
                    .isEqualTo(Ran.heddle("explain", opcode).out());
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void whereNoFormIsTheExitCodeIsOne() {
        Ran none = Ran.heddle("forms", "--shape", "16x8x16", "--type", "e2m1");

        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).isEmpty();
        assertThat(none.err()).contains("no form has all of that");
    }

    @Test
    void eachWordInWhichAnOpcodeDiffersFromTheNearestFormIsMarked() {
        Ran wrong = Ran.heddle("explain", "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f23");

        assertThat(wrong.err())
                .contains(
                        """
                            mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f23
                                                         ^^^^            ^^^^
                        """);
    }
}
