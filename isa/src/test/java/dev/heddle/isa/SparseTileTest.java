package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.formats.Value;
import dev.heddle.isa.rule.Rule;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

@DisplayName("PTX ISA 9.7.14.6.1, 9.7.15.6.1: sparse matrix storage")
final class SparseTileTest {
    private static final String HALF = "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String TF32 = "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
    private static final String PAIRS = "mma.sp.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32";
    private static final String FP4 =
            "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale"
                    + ".f32.e2m1.e2m1.f32.ue8m0";

    /// One tile for each way there is to store a sparse A.
    private static List<SparseTile> tiles() {
        Map<String, SparseTile> tiles = new LinkedHashMap<>();
        for (Form form : Forms.all()) {
            if (form.sparse()) {
                SparseTile tile = SparseTile.of(form);
                String identity =
                        tile.metadata().layout()
                                + " "
                                + tile.metadata().granularity()
                                + tile.metadata().ordered()
                                + tile.format();
                tiles.putIfAbsent(identity, tile);
            }
        }
        return List.copyOf(tiles.values());
    }

    private static SparseTile tile(String opcode) {
        return SparseTile.of(Form.of(opcode));
    }

    private static long code(Format format, double value) {
        return format.encode(Value.of(value), Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    @Test
    void whatIsPrunedRoundTripsUnderEverySelectorOfEveryForm() {
        List<SparseTile> tiles = tiles();
        assertThat(tiles).hasSizeGreaterThan(30);
        for (SparseTile tile : tiles) {
            long seed = tile.toString().hashCode();
            Random random = new Random(seed);
            Matrix a =
                    Matrix.of(
                            tile.format(),
                            tile.rows(),
                            tile.columns(),
                            (row, column) -> random.nextInt(4) == 0 ? 0 : random.nextLong());
            Matrix pruned = tile.prune(a);
            CompressedTile compressed = tile.compress(pruned);
            for (int selector : tile.metadata().selectorValues()) {
                int[] words = compressed.words(selector, random.nextInt());
                assertThat(tile.faults(words, selector)).isEmpty();
                assertThat(tile.expand(compressed.stored(), words, selector))
                        .as("%s selector %s seed %s", tile, selector, seed)
                        .isEqualTo(pruned);
            }
        }
    }

    @Test
    void metadataIsOrderedWhateverTheForm() {
        for (SparseTile tile : tiles()) {
            Matrix zero = Matrix.zeros(tile.format(), tile.rows(), tile.columns());
            for (int word : tile.compress(zero).words(0, 0x44444444)) {
                assertThat(word).as(tile.toString()).isEqualTo(0x44444444);
            }
        }
    }

    @Test
    void pruningKeepsTheLargestMagnitudesAndOfEqualOnesTheFirst() {
        everyChunk(tile(HALF), 0, -0.0, 1, -1, 2, Double.POSITIVE_INFINITY, Double.NaN);
        everyChunk(tile(TF32), 0, -0.0, 1, -1, 2, Double.NEGATIVE_INFINITY, Double.NaN);
        everyChunk(tile(PAIRS), 0, 1, -3, 7);
        everyChunk(tile(FP4), 0, -0.0, 0.5, -6);
    }

    /// Fills tiles with every chunk over these values and compares each with the best choice by
    /// trial of all.
    private static void everyChunk(SparseTile tile, double... values) {
        Granularity granularity = tile.metadata().granularity();
        int width = granularity.width();
        int patterns = (int) Math.pow(values.length, width);
        int perTile = tile.rows() * tile.metadata().chunks();
        for (int first = 0; first < patterns; first += perTile) {
            int start = first;
            Matrix a =
                    Matrix.of(
                            tile.format(),
                            tile.rows(),
                            tile.columns(),
                            (row, column) -> {
                                int pattern =
                                        start + row * tile.metadata().chunks() + column / width;
                                int digit =
                                        pattern
                                                / (int) Math.pow(values.length, column % width)
                                                % values.length;
                                return code(tile.format(), values[digit]);
                            });
            Matrix pruned = tile.prune(a);
            for (int row = 0; row < tile.rows(); row++) {
                for (int chunk = 0; chunk < tile.metadata().chunks(); chunk++) {
                    checkChunk(granularity, a, pruned, row, chunk);
                }
            }
            assertThat(tile.compress(pruned).expand()).isEqualTo(pruned);
        }
    }

    private static void checkChunk(
            Granularity granularity, Matrix a, Matrix pruned, int row, int chunk) {
        int width = granularity.width();
        List<Long> codes = codes(a, row, chunk, width);
        List<Long> best = List.of();
        double bestSum = -1;
        int units = width / granularity.unit();
        for (int kept = (1 << units) - 1; kept >= 0; kept--) {
            // Unit 0 is the highest bit, so that of equal choices the first kept ones come first
            if (Integer.bitCount(kept) != granularity.stored() / granularity.unit()) {
                continue;
            }
            List<Long> choice = new ArrayList<>();
            double sum = 0;
            for (int column = 0; column < width; column++) {
                boolean stays = (kept >> units - 1 - column / granularity.unit() & 1) == 1;
                choice.add(stays ? codes.get(column) : 0L);
                double value = a.toDouble(row, chunk * width + column);
                double weight = Double.isNaN(value) ? 1e9 : Math.min(Math.abs(value), 1e6);
                sum += stays ? weight : 0;
            }
            if (sum > bestSum) {
                best = choice;
                bestSum = sum;
            }
        }
        assertThat(codes(pruned, row, chunk, width)).as("of %s", codes).isEqualTo(best);
    }

    private static List<Long> codes(Matrix a, int row, int chunk, int width) {
        List<Long> codes = new ArrayList<>();
        for (int column = chunk * width; column < (chunk + 1) * width; column++) {
            codes.add(a.bits(row, column));
        }
        return codes;
    }

    /// Figures 112, 118 and 119: row 9 is the high half of group 1's word; chunk 3 its top nibble.
    @Test
    void elementsAndMetadataStandWhereTheFiguresPutThem() {
        SparseTile tile = tile(HALF);
        Matrix a = Matrix.zeros(FloatFormat.F16, 16, 16);
        a.set(9, 14, code(FloatFormat.F16, 5));
        a.set(9, 15, code(FloatFormat.F16, 7));
        a.set(1, 1, code(FloatFormat.F16, 3));
        a.set(1, 3, code(FloatFormat.F16, 4));
        CompressedTile compressed = tile.compress(a);
        assertThat(compressed.stored().toDouble(9, 6)).isEqualTo(5);
        assertThat(compressed.stored().toDouble(9, 7)).isEqualTo(7);
        assertThat(compressed.stored().toDouble(1, 0)).isEqualTo(3);
        assertThat(compressed.stored().toDouble(1, 1)).isEqualTo(4);
        int[] words = compressed.words(2, 0xABCD0123);
        assertThat(words[4 * 1 + 2]).isEqualTo(0xE444_444D);
        assertThat(words[4 * 1 + 1]).isEqualTo(0xABCD0123);
        assertThat(words[4 * 2 + 2]).isEqualTo(0x4444_4444);
    }

    /// Figure 113: a lone element of value zero keeps the first column.
    @Test
    void tf32NamesTheHalvesOfItsElement() {
        SparseTile tile = tile(TF32);
        Matrix a = Matrix.zeros(FloatFormat.TF32, 16, 8);
        a.set(0, 1, code(FloatFormat.TF32, 1));
        a.set(8, 6, code(FloatFormat.TF32, 2));
        assertThat(tile.compress(a).words(0)[0]).isEqualTo(0x4444_444E);
        a.set(8, 7, a.bits(8, 6));
        a.set(8, 6, 0);
        assertThat(tile.compress(a).words(3)[3]).isEqualTo(0xE444_444E);
    }

    @Test
    void wgmmaPutsRowsOfAWarpBySixteen() {
        SparseTile tile = tile("wgmma.mma_async.sp.sync.aligned.m64n8k64.s32.s8.s8");
        Matrix a = Matrix.zeros(IntegerFormat.S8, 64, 64);
        a.set(3 * 16 + 8 + 2, 32 + 4 * 5 + 3, code(IntegerFormat.S8, -9));
        int[] words = tile.compress(a).words(0);
        int lane = 3 * 32 + 2 * 4 + 3;
        assertThat(words[lane]).isEqualTo(0x44C4_4444);
        assertThat(words).hasSize(128);
    }

    /// The manual allows either order: stored element `j` goes to index `j`.
    @Test
    void plainMetadataMayNameTheSecondElementFirst() {
        SparseTile tile = tile(HALF);
        Matrix stored = Matrix.zeros(FloatFormat.F16, 16, 8);
        stored.set(0, 0, code(FloatFormat.F16, 3));
        stored.set(0, 1, code(FloatFormat.F16, 4));
        int[] words = new int[32];
        Arrays.fill(words, 0x4444_4444);
        words[0] = 0x4444_4442;
        Matrix a = tile.expand(stored, words, 0);
        assertThat(a.toDouble(0, 2)).isEqualTo(3);
        assertThat(a.toDouble(0, 0)).isEqualTo(4);
        assertThat(a.toDouble(0, 1)).isZero();
    }

    @Test
    void aNegativeZeroIsKeptWhereThereIsRoomAndIsZeroWhereThereIsNone() {
        SparseTile tile = tile(HALF);
        long minusZero = 0x8000;
        Matrix a = Matrix.zeros(FloatFormat.F16, 16, 16);
        a.set(0, 3, minusZero);
        a.set(0, 5, code(FloatFormat.F16, 1));
        a.set(0, 6, code(FloatFormat.F16, 2));
        a.set(0, 7, minusZero);
        Matrix back = tile.compress(a).expand();
        assertThat(back.bits(0, 3)).isEqualTo(minusZero);
        assertThat(back.bits(0, 7)).isZero();
        a.set(0, 7, 0);
        assertThat(back).isEqualTo(a);
    }

    @Test
    void everyNibbleInEveryPlaceIsNamedByItsRule() {
        for (SparseTile tile : tiles()) {
            Metadata metadata = tile.metadata();
            for (int selector : metadata.selectorValues()) {
                for (int value = 0; value < 16; value++) {
                    int[] words = new int[metadata.lanes()];
                    Arrays.fill(words, value * 0x1111_1111);
                    List<MetadataFault> faults = tile.faults(words, selector);
                    Rule expected = ruleBrokenBy(tile, value);
                    assertThat(faults.size())
                            .as("%s nibble %s", tile, value)
                            .isEqualTo(expected == null ? 0 : tile.rows() * metadata.chunks());
                    assertThat(faults)
                            .allMatch(
                                    fault ->
                                            fault.rule() == expected
                                                    && metadata.nibble(fault.chunk(), selector)
                                                            .equals(fault.place()));
                }
            }
        }
    }

    private static @Nullable Rule ruleBrokenBy(SparseTile tile, int nibble) {
        boolean tf32 = tile.format() == FloatFormat.TF32;
        return switch (nibble) {
            case 0b0100, 0b1110 -> null;
            case 0b1000, 0b1001, 0b1100, 0b1101 -> tf32 ? Rule.METADATA_NOT_TF32 : null;
            case 0b0000, 0b0101, 0b1010, 0b1111 ->
                    tf32 ? Rule.METADATA_NOT_TF32 : Rule.METADATA_EQUAL_INDICES;
            default ->
                    tf32
                            ? Rule.METADATA_NOT_TF32
                            : tile.metadata().ordered() ? Rule.METADATA_UNORDERED : null;
        };
    }

    @Test
    void aFaultNamesLaneBitsRowAndChunk() {
        SparseTile tile = tile(FP4);
        int[] words = new int[32];
        Arrays.fill(words, 0x4444_4444);
        words[7] = 0x4441_4444;
        Matrix stored = Matrix.zeros(FloatFormat.E2M1, 16, 64);
        assertThatThrownBy(() -> tile.expand(stored, words, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "undefined behavior: lane 7, bits 19..16 (slot 4; row 9, chunk 12) hold"
                                + " 0b0001: the indices of a chunk must increase from the LSB"
                                + " [metadata-unordered, PTX ISA 9.7.14.6.3]");
    }

    @Test
    void aRowThatDoesNotConformIsRefusedWithItsValues() {
        Matrix a = Matrix.zeros(IntegerFormat.S4, 16, 64);
        for (int column : new int[] {8, 11, 15}) {
            a.set(3, column, code(IntegerFormat.S4, -(column / 2)));
        }
        SparseTile tile = tile(PAIRS);
        assertThat(tile.nonconformities(a))
                .containsExactly(
                        new Nonconformity(
                                3,
                                1,
                                Granularity.PAIRS_FOUR_OF_EIGHT,
                                List.of(-4.0, 0.0, 0.0, -5.0, 0.0, 0.0, 0.0, -7.0),
                                "9.7.14.6.1"));
        assertThatThrownBy(() -> tile.compress(a))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "row 3, chunk 1 (columns 8..15) holds -4.0, 0.0, 0.0, -5.0, 0.0, 0.0, 0.0,"
                                + " -7.0; allowed by 4:8 pair-wise: 2 of 4 pairs other than zero"
                                + " [PTX ISA 9.7.14.6.1]");
    }

    @Test
    void badInputIsRefused() {
        SparseTile tile = tile(HALF);
        Matrix bf16 = Matrix.zeros(FloatFormat.BF16, 16, 16);
        assertThatThrownBy(() -> tile.prune(bf16))
                .hasMessage("A is 16 x 16 .bf16: expected 16 x 16 .f16");
        Matrix wide = Matrix.zeros(FloatFormat.F16, 16, 32);
        assertThatThrownBy(() -> tile.compress(wide))
                .hasMessage("A is 16 x 32 .f16: expected 16 x 16 .f16");
        Matrix stored = Matrix.zeros(FloatFormat.F16, 16, 8);
        assertThatThrownBy(() -> tile.expand(stored, new int[31], 0))
                .hasMessage("31 metadata words: expected one a lane, 32");
        assertThatThrownBy(() -> tile.faults(new int[32], 4))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("selector 4: expected 0..3");
        assertThatThrownBy(() -> tile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"))
                .hasMessage(
                        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: expected mma.sp or"
                                + " wgmma.mma_async.sp");
    }
}
