package dev.heddle.tensorcore.functions;

/// The datapath that all functions share: a quadratic in integers,
///
///     V = (c0 << a) + c1 * m1 * x + c2 * m2 * q(x) + K
///
/// whose coefficients come from the row that the high bits of the reduced argument pick. `x` is the
/// 17 bits below them. What is kept of V is said where it is used.
///
/// `q` is about x^2 / 2^19: a squarer whose partial products are each cut at weight 2^18. An exact
/// square reproduces no row.
final class Interpolator {
    /// Bits of x.
    static final int X_BITS = 17;

    static final int X_MASK = (1 << X_BITS) - 1;

    static final Interpolator RCP = new Interpolator("rcp", 0, 128, 13, 1, 1, 0x47e7);
    static final Interpolator RSQ = new Interpolator("rsq", 0, 128, 14, 1, 4, 0x7fff);
    static final Interpolator SQRT_EVEN = new Interpolator("sqrt", 0, 64, 15, 1, 2, 0x7fff);
    static final Interpolator SQRT_ODD = new Interpolator("sqrt", 64, 64, 15, 2, 2, 0x7fff);
    static final Interpolator EX2 = new Interpolator("ex2", 0, 64, 13, 1, 1, 0x77e2);
    static final Interpolator LG2 = new Interpolator("lg2", 0, 64, 12, 1, 2, 0x3345);
    static final Interpolator SIN = new Interpolator("sin", 0, 64, 12, 1, 1, 0);
    static final Interpolator TANH = new Interpolator("tanh", 0, 51, 15, 1, 2, 0);

    private final long[] constant;
    private final int[] linear;
    private final int[] quadratic;

    /// @param core   whose coefficients
    /// @param first  the first of its rows
    /// @param rows   how many
    /// @param shift  a, the position of c0
    /// @param m1     what c1 is multiplied by
    /// @param m2     what c2 is multiplied by
    /// @param k      K, the rounding constant
    private Interpolator(String core, int first, int rows, int shift, int m1, int m2, int k) {
        int[][] all = Coefficients.of(core);
        constant = new long[rows];
        linear = new int[rows];
        quadratic = new int[rows];
        for (int i = 0; i < rows; i++) {
            int[] row = all[first + i];
            constant[i] = ((long) row[0] << shift) + k;
            linear[i] = row[1] * m1;
            quadratic[i] = row[2] * m2;
        }
    }

    /// V of a row.
    long value(int row, int x) {
        return value(row, x, square(x));
    }

    /// V of a row, where the squarer is fed by itself.
    long value(int row, int x, int square) {
        return constant[row] + (long) linear[row] * x + (long) quadratic[row] * square;
    }

    /// The squarer, q(x): the sum of `x >> (18 - i)` over the bits i = 1..16 that x has, halved.
    ///
    /// With h the upper eight bits of x and l the lower nine, no product inside h*h is cut, all of
    /// l*l are, and of the two halves of h*l the same is: what stays is h^2 / 2 and, for each bit k
    /// of h, `l >> (9 - k)`.
    static int square(int x) {
        int h = x >>> 9;
        int l = x & 0x1ff;
        int sum = h * h >>> 1;
        for (int k = 1; k < 8; k++) {
            sum += -(h >>> k & 1) & l >>> 9 - k;
        }
        return sum;
    }
}
