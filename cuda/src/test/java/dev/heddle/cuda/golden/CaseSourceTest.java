package dev.heddle.cuda.golden;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.stream.Collectors.toSet;

import dev.heddle.cuda.PackedCodes;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

@DisplayName("cases drawn for a form")
final class CaseSourceTest {
    private static final Form SPARSE =
            Form.of("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    private static final Form WARPGROUP =
            Form.of("wgmma.mma_async.sp.sync.aligned.m64n8k32.f16.f16.f16", ASource.SHARED_MEMORY);

    @Test
    void theSeedDecidesEverything() {
        assertThat(inputsOf(SPARSE, 7)).isEqualTo(inputsOf(SPARSE, 7));
        assertThat(inputsOf(SPARSE, 7)).isNotEqualTo(inputsOf(SPARSE, 8));
    }

    private static List<List<Integer>> inputsOf(Form form, long seed) {
        return new CaseSource(form, 3, seed)
                .draw(24).stream()
                        .map(c -> IntStream.concat(ints(c.header()), ints(c.input().a())))
                        .map(words -> words.boxed().toList())
                        .toList();
    }

    private static IntStream ints(int[] words) {
        return Arrays.stream(words);
    }

    @Test
    void everyClassSelectorAndKindOfMetadataComesUp() {
        List<DrawnCase> cases = new CaseSource(SPARSE, 3, 1).draw(200);
        assertThat(headerWords(cases, 2)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(headerWords(cases, 5)).containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(headerWords(cases, 4)).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void everyLayoutSignAndScaleOfAWarpgroupComesUp() {
        List<DrawnCase> cases = new CaseSource(WARPGROUP, 3, 1).draw(200);
        for (int operand : List.of(9, 10)) {
            assertThat(headerWords(cases, operand)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
        }
        assertThat(headerWords(cases, 6)).containsExactlyInAnyOrder(0, 1);
        assertThat(headerWords(cases, 7)).containsExactlyInAnyOrder(1, -1);
        assertThat(headerWords(cases, 8)).containsExactlyInAnyOrder(1, -1);
        assertThat(cases)
                .allSatisfy(
                        c -> assertThat(c.immediates().transposeA()).isEqualTo(c.header()[9] >= 4));
    }

    private static Set<Integer> headerWords(List<DrawnCase> cases, int word) {
        return cases.stream().map(c -> c.header()[word]).collect(toSet());
    }

    @Test
    void suppliersHoldLegalNibblesAndOthersAnything() {
        List<Integer> ordered = Granularity.TWO_OF_FOUR.nibbles(true);
        boolean garbage = false;
        for (DrawnCase drawn : new CaseSource(SPARSE, 3, 1).draw(64)) {
            List<Integer> legal = Granularity.TWO_OF_FOUR.nibbles(drawn.header()[4] == 0);
            for (int lane = 0; lane < 32; lane++) {
                int word = drawn.input().e()[lane];
                IntStream nibbles = IntStream.range(0, 8).map(slot -> word >>> 4 * slot & 15);
                if (lane % 4 == drawn.header()[5]) {
                    assertThat(nibbles.boxed().toList()).isSubsetOf(legal);
                } else {
                    garbage |= !nibbles.allMatch(ordered::contains);
                }
            }
        }
        assertThat(garbage).isTrue();
    }

    @Test
    void codesPackLowestFirst() {
        assertThat(PackedCodes.words(new long[] {0x1111, 0x2222, 0x3333, 0x4444}, 16))
                .containsExactly(0x2222_1111, 0x4444_3333);
        assertThat(PackedCodes.words(new long[] {0x0123_4567_89ab_cdefL}, 64))
                .containsExactly(0x89ab_cdef, 0x0123_4567);
        assertThat(PackedCodes.bytes(new long[] {0x1234, 0xabcd}, 16))
                .containsExactly(0x34, 0x12, 0xcd, 0xab);
        assertThat(PackedCodes.bytes(new long[] {1, 0, 1, 1, 0, 0, 0, 0, 1, 1}, 1)).hasSize(1);
        assertThat(PackedCodes.bytes(new long[] {1, 0, 1, 1, 0, 0, 0, 0}, 1)).containsExactly(0x0d);
        assertThat(PackedCodes.bytes(new long[] {0x3, 0xa}, 4)).containsExactly(0xa3);
    }
}
