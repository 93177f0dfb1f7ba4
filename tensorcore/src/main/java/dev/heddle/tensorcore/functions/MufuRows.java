package dev.heddle.tensorcore.functions;

/// The rows of a core as two words each: V of [VectorMufu] is made of them.
///
/// @param base   c0 << a - 9
/// @param slopes c1 * m1 above 14 bits with the magnitude of c2
@SuppressWarnings("ArrayRecordComponent") // tables, never compared
public record MufuRows(int[] base, int[] slopes) {
    /// Of each binade of tanh, from the low bits: how many bits of the fraction are dropped, u
    /// above bit 8, the first row above bit 16.
    public static final int[] TANH_BINADES = Mufu.tanhBinades();

    /// The rows of a core.
    ///
    /// @param core  `rcp rsq sqrt ex2 lg2 sin tanh`
    /// @param shift a, the position of c0
    public static MufuRows of(String core, int shift) {
        int[][] rows = Coefficients.of(core);
        int[] base = new int[rows.length];
        int[] slopes = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            // The upper half of the rows of sqrt is that of odd exponents, with m1 = 2.
            int m1 = core.equals("sqrt") && i >= rows.length / 2 ? 2 : 1;
            base[i] = rows[i][0] << shift - 9;
            slopes[i] = rows[i][1] * m1 << 14 | Math.abs(rows[i][2]);
        }
        return new MufuRows(base, slopes);
    }
}
