package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument.TensorMap;
import dev.heddle.vm.Argument.TensorMap.Atomicity;
import dev.heddle.vm.Argument.TensorMap.Fill;
import dev.heddle.vm.Argument.TensorMap.Wide;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

@DisplayName("PTX ISA 5.5.5: im2col::w and im2col::w::128")
final class PixelsAlongWTest {
    /// An image of 16 channels, 9 pixels along W, 3 along H, in 8 images.
    private static final int W = 9;

    private static final int H = 3;
    private static final int IMAGES = 8;

    private static TensorMap wide(int lower, int upper, int stride, OptionalInt pixels) {
        return new TensorMap(
                new Argument.Address("t", 0),
                IntegerFormat.U8,
                List.of(16L, (long) W, (long) H, (long) IMAGES),
                List.of(16L, 16L * W, 16L * W * H),
                new Wide(lower, upper, 16, pixels),
                List.of(1, stride, 1, 1),
                64,
                Atomicity.BYTES_16,
                0,
                Fill.ZERO,
                false);
    }

    /// Rows of 16 bytes that take 64 each, with the units of table "64 byte swizzle mode".
    private static void requireRows(byte[] found, byte[] tensor, List<int[]> pixels) {
        for (int row = 0; row < pixels.size(); row++) {
            int w = pixels.get(row)[0];
            int h = pixels.get(row)[1];
            int n = pixels.get(row)[2];
            boolean inside = w >= 0 && w < W && n < IMAGES;
            for (int c = 0; c < 16; c++) {
                int at = 64 * row + c;
                int place = at ^ at / 128 % 4 * 16;
                byte right = inside ? tensor[((n * H + h) * W + w) * 16 + c] : 0;
                assertThat(found[place]).as("row %d: %d, %d, %d", row, w, h, n).isEqualTo(right);
            }
        }
    }

    /// Pixels along W between two corners, and on in the next image.
    private static List<int[]> walk(
            int w, int h, int n, int first, int last, int stride, int count) {
        List<int[]> pixels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pixels.add(new int[] {w, h, n});
            w += stride;
            if (w > last) {
                w = first;
                n++;
            }
        }
        return pixels;
    }

    @Test
    @DisplayName("5.5.5.3: sixteen pixels along W, and a halo of two")
    void pixelsAlongW() {
        byte[] tensor = TensorModesTest.counted(16 * W * H * IMAGES);
        String copy = TensorModesTest.load("4d", "im2col::w", "0, 7, 2, 3", ", {2, 0}");
        TensorMap map = wide(0, 0, 1, OptionalInt.of(16));
        requireRows(
                TensorModesTest.loaded(copy, 18 * 16, map, tensor),
                tensor,
                walk(7, 2, 3, 0, 8, 1, 18));
        // The first may be left of the bounding box, and not right of it.
        String left = TensorModesTest.load("4d", "im2col::w", "0, -2, 1, 0", ", {0, 0}");
        requireRows(
                TensorModesTest.loaded(left, 16 * 16, map, tensor),
                tensor,
                walk(-2, 1, 0, 0, 8, 1, 16));
        String right = TensorModesTest.load("4d", "im2col::w", "0, 9, 1, 0", ", {0, 0}");
        assertThat(
                        TensorModesTest.run(TensorModesTest.module(right, true, 256), map, tensor)
                                .findings()
                                .getFirst()
                                .rule())
                .isEqualTo(Rule.TENSOR_BOX_OUTSIDE);
    }

    @Test
    @DisplayName("5.5.5.4: example 1, every second pixel into two buffers")
    void pixelsAlongWInTwoBuffers() {
        byte[] tensor = TensorModesTest.counted(16 * W * H * IMAGES);
        TensorMap map = wide(-1, 0, 2, OptionalInt.of(20));
        String first = TensorModesTest.load("4d", "im2col::w", "0, -1, 2, 1", ", {1, 0}");
        requireRows(
                TensorModesTest.loaded(first, 21 * 16, map, tensor),
                tensor,
                walk(-1, 2, 1, -1, 8, 2, 21));
        String second = TensorModesTest.load("4d", "im2col::w", "0, -1, 2, 1", ", {0, 1}");
        requireRows(
                TensorModesTest.loaded(second, 20 * 16, map, tensor),
                tensor,
                walk(0, 2, 1, 0, 9, 2, 20));
    }

    @Test
    @DisplayName("5.5.5.3: 128 pixels along W, a halo behind every 32")
    void halosBehind32() {
        byte[] tensor = TensorModesTest.counted(16 * W * H * IMAGES);
        int rows = 4 * 34;
        String module =
                TensorModesTest.module(
                                TensorModesTest.load(
                                        "4d", "im2col::w::128", "0, 4, 1, 0", ", {2, 0}"),
                                true,
                                rows * 16)
                        .replace("4096", Integer.toString(64 * rows));
        Launch launch =
                Launch.grid(1)
                        .block(1)
                        .with(Argument.of("t", tensor))
                        .passing(
                                wide(0, 0, 1, OptionalInt.empty()),
                                Argument.zeros("out", 64 * rows));
        Outcome outcome =
                Machine.interpreter().run(Kernel.of(module, "modes.ptx", "kernel"), launch);
        assertThat(outcome.findings()).isEmpty();
        List<int[]> all = walk(4, 1, 0, 0, 8, 1, 130);
        List<int[]> pixels = new ArrayList<>();
        for (int group = 0; group < 4; group++) {
            pixels.addAll(all.subList(32 * group, 32 * group + 34));
        }
        requireRows(outcome.buffer("out"), tensor, pixels);
    }

    @Test
    @DisplayName("a map of another mode is refused")
    void widthNeedsItsOwnMap() {
        byte[] tensor = TensorModesTest.counted(16 * W * H * IMAGES);
        String copy = TensorModesTest.load("4d", "im2col::w::128", "0, 0, 0, 0", ", {0, 0}");
        Finding found =
                TensorModesTest.run(
                                TensorModesTest.module(copy, true, 256),
                                wide(0, 0, 1, OptionalInt.of(16)),
                                tensor)
                        .findings()
                        .getFirst();
        assertThat(found.rule()).isEqualTo(Rule.WRONG_TENSOR_MODE);
        assertThat(found.message()).contains("im2col::w mode");
    }
}
