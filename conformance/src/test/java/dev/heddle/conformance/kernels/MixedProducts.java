package dev.heddle.conformance.kernels;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// `wmma` of f16 whose accumulators have two types. Values are such that every sum is exact in f32,
/// so that only the last rounding remains, and the order of sums does not matter.
final class MixedProducts {
    private static final int A = 0;
    private static final int B = 1024;
    private static final int C16 = 2048;
    private static final int C32 = 2560;
    private static final int D = 3584;
    private static final int SIZE = 15872;

    private MixedProducts() {}

    /// A product of the kernel: `columns` has an `r` or `c` for each of A, B, C and D.
    private record Product(int m, int n, String d, String c, String layouts) {
        /// Where an element stands in a matrix of so many rows and columns.
        int index(int matrix, int row, int column, int rows, int columns) {
            return layouts.charAt(matrix) == 'r' ? row * columns + column : column * rows + row;
        }
    }

    private static final Product[] PRODUCTS = {
        new Product(16, 16, "f16", "f16", "rrrc"),
        new Product(16, 16, "f16", "f32", "rccc"),
        new Product(16, 16, "f32", "f16", "crrr"),
        new Product(16, 16, "f32", "f32", "cccr"),
        new Product(32, 8, "f16", "f16", "crcr"),
        new Product(32, 8, "f16", "f32", "ccrr"),
        new Product(32, 8, "f32", "f16", "rrcc"),
        new Product(32, 8, "f32", "f32", "rcrc"),
        new Product(8, 32, "f16", "f16", "rcrc"),
        new Product(8, 32, "f16", "f32", "rrcc"),
        new Product(8, 32, "f32", "f16", "ccrr"),
        new Product(8, 32, "f32", "f32", "crcr")
    };

    /// Whole numbers in a range, times a power of two.
    private record Range(int least, int most, int exponent) {
        float draw(SplittableRandom random) {
            return Math.scalb((float) random.nextInt(least, most + 1), exponent);
        }
    }

    /// What the matrices of a CTA hold.
    private enum Data {
        WHOLE(new Range(-3, 3, 0), new Range(-3, 3, 0), new Range(-9, 9, 0), new Range(-9, 9, 0)),
        /// An f16 result is rounded.
        ROUNDED(
                new Range(-32, 32, -3),
                new Range(-32, 32, -3),
                new Range(-1000, 1000, -6),
                new Range(-65535, 65535, -13)),
        /// From 65520 on an f16 result is infinite.
        LARGE(
                new Range(-2, 2, 0),
                new Range(-2, 2, 0),
                new Range(2045, 2047, 5),
                new Range(65484, 65544, 0)),
        /// Multiplicands and f16 results are subnormal.
        SMALL(
                new Range(-63, 63, -24),
                new Range(-7, 7, -2),
                new Range(-1023, 1023, -24),
                new Range(-4000, 4000, -26)),
        SPECIAL(new Range(-3, 3, 0), new Range(-3, 3, 0), new Range(-9, 9, 0), new Range(-9, 9, 0));

        private static final float[] SPECIALS = {
            Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY
        };

        final Range a;
        final Range b;
        final Range narrow;
        final Range wide;

        Data(Range a, Range b, Range narrow, Range wide) {
            this.a = a;
            this.b = b;
            this.narrow = narrow;
            this.wide = wide;
        }

        float draw(Range range, SplittableRandom random) {
            if (this == SPECIAL && random.nextInt(24) == 0) {
                return SPECIALS[random.nextInt(SPECIALS.length)];
            }
            return range.draw(random);
        }
    }

    private static void put(ByteBuffer buffer, String type, int matrix, int index, float value) {
        if (type.equals("f16")) {
            buffer.putShort(matrix + 2 * index, (short) Halves.F16.nearest(value));
        } else {
            buffer.putInt(
                    matrix + 4 * index,
                    Float.isNaN(value) ? 0x7fff_ffff : Float.floatToRawIntBits(value));
        }
    }

    private static float get(ByteBuffer buffer, String type, int matrix, int index) {
        return type.equals("f16")
                ? Halves.F16.value(buffer.getShort(matrix + 2 * index))
                : buffer.getFloat(matrix + 4 * index);
    }

    static RareKernel kernel() {
        ByteBuffer before = RareKernel.zeros(Data.values().length * SIZE);
        SplittableRandom random = new SplittableRandom(4);
        for (Data data : Data.values()) {
            int base = data.ordinal() * SIZE;
            for (int i = 0; i < 512; i++) {
                put(before, "f16", base + A, i, data.draw(data.a, random));
                put(before, "f16", base + B, i, data.draw(data.b, random));
                if (i < 256) {
                    put(before, "f16", base + C16, i, data.draw(data.narrow, random));
                    put(before, "f32", base + C32, i, data.draw(data.wide, random));
                }
            }
        }
        ByteBuffer after = RareKernel.copy(before);
        for (Data data : Data.values()) {
            int base = data.ordinal() * SIZE;
            for (int i = 0; i < PRODUCTS.length; i++) {
                multiply(after, base, base + D + 1024 * i, PRODUCTS[i]);
            }
        }
        return new RareKernel("wmma-mixed-accumulators", Data.values().length, 32, before, after);
    }

    private static void multiply(ByteBuffer buffer, int base, int to, Product product) {
        int m = product.m();
        int n = product.n();
        int k = 16;
        int c = base + (product.c().equals("f16") ? C16 : C32);
        for (int row = 0; row < m; row++) {
            for (int column = 0; column < n; column++) {
                // All of it is exact in double, too.
                double sum = get(buffer, product.c(), c, product.index(2, row, column, m, n));
                for (int l = 0; l < k; l++) {
                    double left = get(buffer, "f16", base + A, product.index(0, row, l, m, k));
                    double right = get(buffer, "f16", base + B, product.index(1, l, column, k, n));
                    sum += left * right;
                }
                put(buffer, product.d(), to, product.index(3, row, column, m, n), (float) sum);
            }
        }
    }
}
