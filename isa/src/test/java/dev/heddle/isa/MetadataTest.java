package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// Which nibble of which lane's word describes which columns of A, in the words of the figures:
/// `g` is groupID, `t` threadID_in_group, `f` the sparsity selector, `c` counts nibbles.
@DisplayName("PTX ISA 9.7.14.6.2, 9.7.15.6.2: sparsity metadata")
final class MetadataTest {
    private static final List<Form> SPARSE = Forms.all().stream().filter(Form::sparse).toList();

    private static final Set<Family> MMA = Set.of(Family.MMA_SP, Family.MMA_SP_ORDERED);

    /// Columns `first` to `last` of a row.
    private record Columns(int row, int first, int last) {}

    /// What nibble `n` (0 to 7) of the lane with group `g` and thread `t` describes.
    @FunctionalInterface
    private interface Figure {
        Columns at(int g, int t, int f, int n);
    }

    /// Whether thread `t` supplies metadata under selector `f`.
    @FunctionalInterface
    private interface Suppliers {
        boolean supplies(int t, int f);
    }

    private static Predicate<Form> forms(Set<Family> families, int k, String... types) {
        return form ->
                families.contains(form.family())
                        && form.shape().k() == k
                        && List.of(types).contains(form.word(Qualifier.ATYPE));
    }

    private static void check(
            Predicate<Form> covered, int selectors, Suppliers suppliers, Figure figure) {
        Set<String> seen = new HashSet<>();
        List<Metadata> distinct = new ArrayList<>();
        for (Form form : SPARSE) {
            if (covered.test(form)) {
                Metadata metadata = form.metadata().orElseThrow();
                if (seen.add(metadata.layout() + " " + metadata.granularity())) {
                    distinct.add(metadata);
                }
            }
        }
        assertThat(distinct).isNotEmpty();
        distinct.forEach(metadata -> compare(metadata, selectors, suppliers, figure));
    }

    private static void compare(
            Metadata metadata, int selectors, Suppliers suppliers, Figure figure) {
        int width = metadata.granularity().width();
        int warps = metadata.rows() / 16;
        assertThat(metadata.selectorValues()).hasSize(selectors);
        for (int f = 0; f < selectors; f++) {
            List<Integer> supplying = new ArrayList<>();
            for (int lane = 0; lane < 32 * warps; lane++) {
                int warp = lane / 32;
                int g = lane % 32 >> 2;
                int t = lane & 3;
                if (!suppliers.supplies(t, f)) {
                    continue;
                }
                supplying.add(lane);
                for (int n = 0; n < 8; n++) {
                    Columns said = figure.at(g, t, f, n);
                    Metadata.Nibble nibble = new Metadata.Nibble(lane, n);
                    Metadata.Chunk chunk = metadata.chunk(nibble);
                    int first = chunk.chunk() * width;
                    assertThat(new Columns(chunk.row(), first, first + width - 1))
                            .as("selector %s lane %s nibble %s", f, lane, n)
                            .isEqualTo(new Columns(said.row + 16 * warp, said.first, said.last));
                    assertThat(metadata.nibble(chunk, f)).isEqualTo(nibble);
                    assertThat(nibble.bitLow()).isEqualTo(4 * n);
                    assertThat(nibble.bitHigh()).isEqualTo(4 * n + 3);
                }
            }
            assertThat(metadata.suppliers(f)).isEqualTo(supplying);
        }
    }

    @Test
    @DisplayName("9.7.14.6.2.1, figure 119: m16n8k16 f16 and bf16")
    void m16n8k16OfHalves() {
        check(
                forms(MMA, 16, "f16", "bf16"),
                4,
                (t, f) -> t == f,
                (g, t, f, n) -> {
                    int c = n % 4;
                    return new Columns(n < 4 ? g : g + 8, 4 * c, 4 * c + 3);
                });
    }

    @Test
    @DisplayName("9.7.14.6.2.4, figure 127: m16n8k8 tf32")
    void m16n8k8OfTf32() {
        check(
                forms(MMA, 8, "tf32"),
                4,
                (t, f) -> t == f,
                (g, t, f, n) -> {
                    int c = n % 4;
                    return new Columns(n < 4 ? g : g + 8, 2 * c, 2 * c + 1);
                });
    }

    @Test
    @DisplayName("9.7.14.6.2.2, figure 122; 9.7.15.6.2.1, figure 176: k32 f16 and bf16")
    void k32OfHalves() {
        check(
                forms(
                        Set.of(Family.MMA_SP, Family.MMA_SP_ORDERED, Family.WGMMA_SP),
                        32,
                        "f16",
                        "bf16"),
                2,
                (t, f) -> t == 2 * f || t == 2 * f + 1,
                (g, t, f, n) -> {
                    int c = n % 4;
                    int u = t - 2 * f;
                    return new Columns(n < 4 ? g : g + 8, 16 * u + 4 * c, 16 * u + 4 * c + 3);
                });
    }

    @Test
    @DisplayName("9.7.14.6.2.3, figure 125; 9.7.15.6.2.2, figure 178: k16 tf32")
    void k16OfTf32() {
        check(
                forms(Set.of(Family.MMA_SP, Family.MMA_SP_ORDERED, Family.WGMMA_SP), 16, "tf32"),
                2,
                (t, f) -> t == 2 * f || t == 2 * f + 1,
                (g, t, f, n) -> {
                    int c = n % 4;
                    int u = t - 2 * f;
                    return new Columns(n < 4 ? g : g + 8, 8 * u + 2 * c, 8 * u + 2 * c + 1);
                });
    }

    @Test
    @DisplayName("9.7.14.6.2.5, figure 129: m16n8k32 u8 and s8")
    void m16n8k32OfBytes() {
        check(
                forms(MMA, 32, "u8", "s8"),
                2,
                (t, f) -> t == 2 * f || t == 2 * f + 1,
                (g, t, f, c) -> new Columns(g + 8 * (t - 2 * f), 4 * c, 4 * c + 3));
    }

    @Test
    @DisplayName("9.7.14.6.2.7, figure 139: m16n8k64 u4 and s4")
    void m16n8k64OfNibbles() {
        check(
                forms(MMA, 64, "u4", "s4"),
                2,
                (t, f) -> t == 2 * f || t == 2 * f + 1,
                (g, t, f, c) -> new Columns(g + 8 * (t - 2 * f), 8 * c, 8 * c + 7));
    }

    @Test
    @DisplayName("9.7.14.6.2.6, figures 136, 137; 9.7.15.6.2.3, figures 180, 181: k64, bytes")
    void k64OfBytes() {
        check(
                forms(
                        Set.of(Family.MMA_SP, Family.MMA_SP_ORDERED, Family.WGMMA_SP),
                        64,
                        "u8",
                        "s8",
                        "e4m3",
                        "e5m2",
                        "e3m2",
                        "e2m3",
                        "e2m1"),
                1,
                (t, f) -> true,
                (g, t, f, c) -> {
                    int u = t & 1;
                    int v = t >> 1;
                    return new Columns(g + 8 * u, 32 * v + 4 * c, 32 * v + 4 * c + 3);
                });
    }

    @Test
    @DisplayName("9.7.14.6.2.8, figures 146, 147: m16n8k128, 4-bit types")
    void m16n8k128OfNibbles() {
        check(
                forms(MMA, 128, "u4", "s4", "e2m1"),
                1,
                (t, f) -> true,
                (g, t, f, c) -> {
                    int u = t & 1;
                    int v = t >> 1;
                    return new Columns(g + 8 * u, 64 * v + 8 * c, 64 * v + 8 * c + 7);
                });
    }

    @Test
    @DisplayName("9.7.14.6.1, 9.7.15.6.1: the meaningful values of a chunk's nibble")
    void nibblesOfEveryForm() {
        List<Integer> ordered = List.of(0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110);
        List<Integer> invalid = List.of(0b0000, 0b0101, 0b1010, 0b1111);
        for (Form form : SPARSE) {
            List<Integer> nibbles = form.metadata().orElseThrow().validNibbles();
            if (form.word(Qualifier.ATYPE).equals("tf32")) {
                assertThat(nibbles).containsExactlyInAnyOrder(0b1110, 0b0100);
            } else if (form.family() == Family.MMA_SP_ORDERED) {
                assertThat(nibbles).containsExactlyInAnyOrderElementsOf(ordered);
            } else {
                assertThat(nibbles)
                        .as(form.toString())
                        .hasSize(12)
                        .doesNotContainAnyElementsOf(invalid);
            }
        }
    }
}
