package dev.heddle.conformance.kernels;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// `wmma` of every type but f16. Float sums are exact; f64 has one product in each sum, so that its
/// rounding shows.
final class TypedProducts {
    private static final int BF16 = 0;
    private static final int TF32 = 2048;
    private static final int F64 = 3072;
    private static final int BYTES = 3584;
    private static final int C32 = 4608;
    private static final int WORDS = 5632;
    private static final int C64 = 6656;
    private static final int D = 7168;
    private static final int CTAS = 4;

    private TypedProducts() {}

    /// A product of the kernel: `layouts` has an `r` or `c` for each of A, B, C and D.
    private record Product(String type, int m, int n, int k, String layouts, String modifier) {
        Product(String type, int m, int n, int k, String layouts) {
            this(type, m, n, k, layouts, "");
        }

        int index(int matrix, int row, int column, int rows, int columns) {
            return layouts.charAt(matrix) == 'r' ? row * columns + column : column * rows + row;
        }

        int a(int row, int l) {
            return index(0, row, l, m, k);
        }

        int b(int l, int column) {
            return index(1, l, column, k, n);
        }

        int c(int row, int column) {
            return index(2, row, column, m, n);
        }

        int d(int row, int column) {
            return index(3, row, column, m, n);
        }
    }

    private static final Product[] PRODUCTS = {
        new Product("bf16", 16, 16, 16, "rcrc"),
        new Product("bf16", 32, 8, 16, "crcr"),
        new Product("bf16", 8, 32, 16, "rrcc"),
        new Product("tf32", 16, 16, 8, "crrc"),
        new Product("f64", 8, 8, 4, "rcrr", "HALF_EVEN"),
        new Product("f64", 8, 8, 4, "crcc", "DOWN"),
        new Product("f64", 8, 8, 4, "rcrr", "FLOOR"),
        new Product("f64", 8, 8, 4, "crcc", "CEILING"),
        new Product("s8", 16, 16, 16, "rrrc"),
        new Product("s8", 32, 8, 16, "ccrr"),
        new Product("s8", 8, 32, 16, "rccr", "satfinite"),
        new Product("u8", 16, 16, 16, "ccrr", "satfinite"),
        new Product("u8", 32, 8, 16, "rrcr"),
        new Product("u8", 8, 32, 16, "crrc"),
        new Product("s4", 8, 8, 32, "rcrr"),
        new Product("s4", 8, 8, 32, "rccr", "satfinite"),
        new Product("u4", 8, 8, 32, "rcrc"),
        new Product("b1", 8, 8, 128, "rcrr", "xor"),
        new Product("b1", 8, 8, 128, "rccc", "and")
    };

    private static final int SIZE = D + 1024 * PRODUCTS.length;

    static RareKernel kernel() {
        ByteBuffer before = RareKernel.zeros(CTAS * SIZE);
        SplittableRandom random = new SplittableRandom(9);
        for (int cta = 0; cta < CTAS; cta++) {
            fill(before, cta * SIZE, random);
        }
        ByteBuffer after = RareKernel.copy(before);
        for (int cta = 0; cta < CTAS; cta++) {
            for (int i = 0; i < PRODUCTS.length; i++) {
                int to = cta * SIZE + D + 1024 * i;
                switch (PRODUCTS[i].type()) {
                    case "bf16", "tf32" -> floats(after, cta * SIZE, to, PRODUCTS[i]);
                    case "f64" -> doubles(after, cta * SIZE, to, PRODUCTS[i]);
                    default -> integers(after, cta * SIZE, to, PRODUCTS[i]);
                }
            }
        }
        return new RareKernel("wmma-types", CTAS, 32, before, after);
    }

    private static void fill(ByteBuffer buffer, int base, SplittableRandom random) {
        for (int i = 0; i < 1024; i++) {
            float value = random.nextInt(-128, 129) / 8f;
            buffer.putShort(base + BF16 + 2 * i, (short) Halves.BF16.nearest(value));
            buffer.put(base + BYTES + i, (byte) random.nextInt());
        }
        for (int i = 0; i < 256; i++) {
            buffer.putFloat(base + TF32 + 4 * i, random.nextInt(-512, 513) / 16f);
            buffer.putFloat(base + C32 + 4 * i, random.nextInt(-1 << 16, 1 << 16) / 64f);
            int near = random.nextInt(-1 << 18, 1 << 18);
            int bound = random.nextInt(3) - 1;
            // Near zero, or near the ends of s32.
            buffer.putInt(base + WORDS + 4 * i, bound == 0 ? near : Integer.MAX_VALUE + near);
        }
        for (int i = 0; i < 64; i++) {
            if (i < 32) {
                buffer.putDouble(base + F64 + 8 * i, random.nextDouble(-4, 4));
            }
            buffer.putDouble(base + C64 + 8 * i, random.nextDouble(-1e3, 1e3));
        }
        // B, by rows or by columns, has zeros but for one row of a column.
        for (int i = 0; i < 4; i++) {
            buffer.putDouble(base + F64 + 256 + 8 * (9 * i % 32), random.nextDouble(-4, 4));
        }
    }

    private static float value(ByteBuffer buffer, String type, int base, int index) {
        return type.equals("bf16")
                ? Halves.BF16.value(buffer.getShort(base + BF16 + 2 * index))
                : buffer.getFloat(base + TF32 + 4 * index);
    }

    private static void floats(ByteBuffer buffer, int base, int to, Product product) {
        String type = product.type();
        int second = type.equals("bf16") ? 512 : 128;
        for (int row = 0; row < product.m(); row++) {
            for (int column = 0; column < product.n(); column++) {
                double sum = buffer.getFloat(base + C32 + 4 * product.c(row, column));
                for (int l = 0; l < product.k(); l++) {
                    sum +=
                            (double) value(buffer, type, base, product.a(row, l))
                                    * value(buffer, type, base, second + product.b(l, column));
                }
                buffer.putFloat(to + 4 * product.d(row, column), (float) sum);
            }
        }
    }

    private static void doubles(ByteBuffer buffer, int base, int to, Product product) {
        RoundingMode mode = RoundingMode.valueOf(product.modifier());
        for (int row = 0; row < product.m(); row++) {
            for (int column = 0; column < product.n(); column++) {
                double c = buffer.getDouble(base + C64 + 8 * product.c(row, column));
                BigDecimal sum = new BigDecimal(c);
                for (int l = 0; l < product.k(); l++) {
                    double a = buffer.getDouble(base + F64 + 8 * product.a(row, l));
                    double b = buffer.getDouble(base + F64 + 256 + 8 * product.b(l, column));
                    if (b != 0) {
                        sum = rounded(sum.add(new BigDecimal(a).multiply(new BigDecimal(b))), mode);
                    }
                }
                buffer.putDouble(to + 8 * product.d(row, column), sum.doubleValue());
            }
        }
    }

    /// The double to which an exact sum is rounded.
    private static BigDecimal rounded(BigDecimal exact, RoundingMode mode) {
        double nearest = exact.doubleValue();
        int side = new BigDecimal(nearest).compareTo(exact);
        boolean up =
                mode == RoundingMode.CEILING || mode == RoundingMode.DOWN && exact.signum() < 0;
        if (mode != RoundingMode.HALF_EVEN && up && side < 0) {
            nearest = Math.nextUp(nearest);
        } else if (mode != RoundingMode.HALF_EVEN && !up && side > 0) {
            nearest = Math.nextDown(nearest);
        }
        return new BigDecimal(nearest);
    }

    /// An element of packed integers, the first in the lowest bits.
    private static int element(ByteBuffer buffer, String type, int at, int index) {
        int bits = Integer.parseInt(type.substring(1));
        int raw = buffer.get(at + index * bits / 8) >>> index * bits % 8 & (1 << bits) - 1;
        boolean negative = type.charAt(0) == 's' && raw >>> bits - 1 == 1;
        return negative ? raw - (1 << bits) : raw;
    }

    private static void integers(ByteBuffer buffer, int base, int to, Product product) {
        String type = product.type();
        for (int row = 0; row < product.m(); row++) {
            for (int column = 0; column < product.n(); column++) {
                long sum = buffer.getInt(base + WORDS + 4 * product.c(row, column));
                for (int l = 0; l < product.k(); l++) {
                    int a = element(buffer, type, base + BYTES, product.a(row, l));
                    int b = element(buffer, type, base + BYTES + 512, product.b(l, column));
                    sum += product.modifier().equals("xor") ? a ^ b : (long) a * b;
                }
                int result =
                        product.modifier().equals("satfinite")
                                ? Math.clamp(sum, Integer.MIN_VALUE, Integer.MAX_VALUE)
                                : (int) sum;
                buffer.putInt(to + 4 * product.d(row, column), result);
            }
        }
    }
}
