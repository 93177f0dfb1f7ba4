package dev.heddle.isa.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.Legality;
import dev.heddle.isa.ManualAnchor;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

@DisplayName("The matrix instructions of a source text")
final class SourceScanTest {
    private static final String OPCODE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

    @Test
    void instructionsOfPtxAreFoundWithTheirLines() {
        List<SourceScan> found =
                SourceScan.of(
                        """
                        // mma.sync.aligned.commented.out
                        .reg .b32 %mma.sync;
                        @%p1 %s {%%f0, %%f1, %%f2, %%f3},
                            {%%r0, %%r1, %%r2, %%r3}, {%%r4, %%r5}, {%%f0, %%f1, %%f2, %%f3};
                        /* mma.sync
                           mma.sync */ wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%%f0}, %%d, %%e;
                        wgmma.fence.sync.aligned;
                        """
                                .replace("%s", OPCODE)
                                .replace("%%", "%"));
        assertThat(found).extracting(SourceScan::line).containsExactly(3, 6);
        assertThat(found.getFirst().legality()).get().matches(Legality::legal);
        assertThat(found.getFirst().text()).startsWith(OPCODE + " {%f0").endsWith(";");
    }

    @Test
    void inlineAssemblyIsReadAsTheCompilerJoinsIt() {
        List<SourceScan> found =
                SourceScan.of(
                        "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.\"\n"
                                + "    \"f32.f16.f16.f32 \"\n"
                                + "    \"{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\\n\""
                                + " : \"+f\"(d[0]) : \"r\"(a[0]));\n"
                                + "asm(\""
                                + OPCODE
                                + " \" OPERANDS \";\");\n");
        assertThat(found).hasSize(2);
        assertThat(found.getFirst().legality()).get().matches(Legality::legal);
        assertThat(found.getFirst().legality().orElseThrow().forms()).hasSize(1);
        assertThat(found.get(1).line()).isEqualTo(4);
        assertThat(found.get(1).text()).isEqualTo(OPCODE);
    }

    @Test
    void theWrongWordIsFound() {
        assertThat(marked("mma.sync.aligned.m16n8k16.row.col.f23.f16.f16.f32"))
                .containsExactly(".f23");
        assertThat(marked("mma.sync.aligned.m16n8k17.row.col.f32.f16.f16.f32"))
                .containsExactly(".m16n8k17");
        assertThat(
                        marked(
                                OPCODE
                                        + " {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4,%r5},"
                                        + " {%f0,%f1,%f2,%f3};"))
                .containsExactly("{%r0,%r1}");
    }

    private static List<String> marked(String text) {
        SourceScan scan = SourceScan.of(text).getFirst();
        return scan.legality().orElseThrow().violations().stream()
                .map(
                        violation -> {
                            int[] place = SourceScan.place(violation, scan.text());
                            return scan.text().substring(place[0], place[1]);
                        })
                .toList();
    }

    @Test
    void largeTextsTakeNoLongTime() {
        String text = (OPCODE + " \"\n /* ").repeat(20_000);
        assertThat(SourceScan.of(text)).hasSizeLessThanOrEqualTo(2_000).isNotEmpty();
        assertThat(SourceScan.of("/".repeat(1 << 20))).isEmpty();
        assertThat(SourceScan.of((OPCODE + " ").repeat(40_000))).hasSize(2_000);
    }

    @Test
    void sectionsOfTheManualHaveAddresses() {
        assertThat(ManualAnchor.link("9.7.14.5.8"))
                .hasValue(
                        "https://docs.nvidia.com/cuda/parallel-thread-execution/"
                                + "#warp-level-matrix-fragment-mma-16816-float");
        assertThat(ManualAnchor.link("1.2.3")).isEmpty();
        assertThat(ManualAnchor.all().values())
                .doesNotHaveDuplicates()
                .allMatch(anchor -> anchor.matches("[a-z0-9-]+"));
    }
}
