package dev.heddle.tensorcore.functions;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.GE;
import static jdk.incubator.vector.VectorOperators.GT;
import static jdk.incubator.vector.VectorOperators.LEADING_ZEROS_COUNT;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.UMIN;
import static jdk.incubator.vector.VectorOperators.XOR;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// [Mufu] on vectors of `.f32` values, as their bits.
///
/// V does not fit a word. Split x at bit 9, `x = 512 * h + l`: then
///
///     V = 512 * M + L,  M = (c0 << a - 9) + c1 * h,  L = c1 * l + c2 * q(x) + K
///
/// and both fit, so that `V >> s` is `M + (L >> 9) >>> s - 9`, in words.
///
/// The methods are written out. The JIT inlines what the vector library forces it to, however large
/// the method has become, but nothing of ours beyond some 90 vector operations; and a vector that
/// goes through a call becomes an object.
public final class VectorMufu {
    /// As many words as a vector of longs has elements, as the machine's compiler has them.
    public static final VectorSpecies<Integer> WORDS =
            VectorSpecies.of(
                    int.class,
                    VectorShape.forBitSize(Integer.SIZE * LongVector.SPECIES_PREFERRED.length()));

    private static final int LANES = WORDS.length();
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int SIGN = 0x8000_0000;
    private static final int INFINITY = 0x7f80_0000;
    private static final int ONE = 0x3f80_0000;
    private static final int FRACTION = 0x7f_ffff;
    private static final int HIDDEN = 0x80_0000;

    private static final MufuRows RCP = MufuRows.of("rcp", 13);
    private static final MufuRows RSQ = MufuRows.of("rsq", 14);
    private static final MufuRows SQRT = MufuRows.of("sqrt", 15);
    private static final MufuRows EX2 = MufuRows.of("ex2", 13);
    private static final MufuRows LG2 = MufuRows.of("lg2", 12);
    private static final MufuRows SIN = MufuRows.of("sin", 12);
    private static final MufuRows TANH = MufuRows.of("tanh", 15);

    private VectorMufu() {}

    /// The squarer, of x = 512 * h + l: see [Interpolator#square].
    private static IntVector square(IntVector h, IntVector l) {
        return h.mul(h)
                .lanewise(LSHR, 1)
                .add(h.lanewise(LSHL, 30).lanewise(ASHR, 31).and(l.lanewise(LSHR, 8)))
                .add(h.lanewise(LSHL, 29).lanewise(ASHR, 31).and(l.lanewise(LSHR, 7)))
                .add(h.lanewise(LSHL, 28).lanewise(ASHR, 31).and(l.lanewise(LSHR, 6)))
                .add(h.lanewise(LSHL, 27).lanewise(ASHR, 31).and(l.lanewise(LSHR, 5)))
                .add(h.lanewise(LSHL, 26).lanewise(ASHR, 31).and(l.lanewise(LSHR, 4)))
                .add(h.lanewise(LSHL, 25).lanewise(ASHR, 31).and(l.lanewise(LSHR, 3)))
                .add(h.lanewise(LSHL, 24).lanewise(ASHR, 31).and(l.lanewise(LSHR, 2)));
    }

    /// `MUFU.RCP`.
    public static IntVector rcp(IntVector bits) {
        IntVector fraction = bits.and(FRACTION);
        IntVector y = fraction.and(0xffff).lanewise(LSHL, 1);
        IntVector square = square(y.lanewise(LSHR, 9), y.and(0x1ff));
        IntVector row = fraction.lanewise(LSHR, 16);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, RCP.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(fraction.and(0x1ff)).add(c2.mul(square)).add(0x47e7);
        IntVector significand =
                IntVector.fromArray(WORDS, RCP.base(), 0, at, 0)
                        .add(c1.mul(fraction.lanewise(LSHR, 9).and(0x7f)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHR, 6)
                        .blend(2 * HIDDEN, fraction.compare(EQ, 0));
        IntVector magnitude = bits.and(MAGNITUDE);
        IntVector result =
                magnitude.lanewise(LSHR, 23).neg().add(252).lanewise(LSHL, 23).add(significand);
        return result.blend(0, result.compare(LT, HIDDEN))
                .blend(INFINITY, magnitude.compare(LT, HIDDEN))
                .blend(0, magnitude.compare(EQ, INFINITY))
                .or(bits.and(SIGN))
                .blend(Mufu.NAN, magnitude.compare(GT, INFINITY));
    }

    /// `MUFU.RSQ`.
    public static IntVector rsq(IntVector bits) {
        IntVector x = bits.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        // Its fields: half the exponent plus 64, parity, the row's bits of the fraction.
        IntVector magnitude = bits.and(MAGNITUDE);
        IntVector split = magnitude.add(HIDDEN);
        IntVector row = split.lanewise(LSHR, 17).and(0x7f);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, RSQ.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(x.and(0x1ff)).add(c2.mul(4).mul(square)).add(0x7fff);
        IntVector significand =
                IntVector.fromArray(WORDS, RSQ.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHR, 7)
                        .blend(2 * HIDDEN, split.and(2 * HIDDEN - 1).compare(EQ, 0));
        return split.lanewise(LSHR, 24)
                .neg()
                .add(189)
                .lanewise(LSHL, 23)
                .add(significand)
                .blend(0, magnitude.compare(EQ, INFINITY))
                .blend(Mufu.NAN, bits.compare(LT, 0).or(magnitude.compare(GT, INFINITY)))
                .blend(bits.and(SIGN).or(INFINITY), magnitude.compare(LT, HIDDEN));
    }

    /// `MUFU.SQRT`.
    public static IntVector sqrt(IntVector bits) {
        IntVector x = bits.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        IntVector magnitude = bits.and(MAGNITUDE);
        IntVector split = magnitude.add(HIDDEN);
        IntVector row = split.lanewise(LSHR, 17).and(0x7f);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, SQRT.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(x.and(0x1ff)).add(c2.mul(-2).mul(square)).add(0x7fff);
        IntVector significand =
                IntVector.fromArray(WORDS, SQRT.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHR, 8)
                        .blend(HIDDEN, split.and(2 * HIDDEN - 1).compare(EQ, 0));
        return split.lanewise(LSHR, 24)
                .add(62)
                .lanewise(LSHL, 23)
                .add(significand)
                .blend(INFINITY, magnitude.compare(EQ, INFINITY))
                .blend(Mufu.NAN, bits.compare(LT, 0).or(magnitude.compare(GT, INFINITY)))
                .blend(bits.and(SIGN), magnitude.compare(LT, HIDDEN));
    }

    /// `MUFU.EX2`.
    public static IntVector ex2(IntVector bits) {
        IntVector magnitude = bits.and(MAGNITUDE);
        IntVector sign = bits.lanewise(ASHR, 31);
        // 7.23 bits, cut; what is beyond them is replaced in the end.
        IntVector distance = magnitude.lanewise(LSHR, 23).neg().add(134).lanewise(UMIN, 31);
        IntVector fixed =
                magnitude.and(FRACTION).or(HIDDEN).lanewise(LSHL, 7).lanewise(LSHR, distance);
        // -t, one less where t is no integer.
        IntVector whole = fixed.and(FRACTION).neg().lanewise(ASHR, 31).not();
        IntVector argument = fixed.lanewise(XOR, sign).sub(sign.and(whole));
        IntVector x = argument.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        IntVector row = argument.lanewise(LSHR, 17).and(0x3f);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, EX2.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(x.and(0x1ff)).add(c2.mul(square)).add(0x77e2);
        IntVector significand =
                IntVector.fromArray(WORDS, EX2.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHR, 6);
        IntVector exponent = argument.lanewise(ASHR, 23).add(126);
        return exponent.lanewise(LSHL, 23)
                .add(significand)
                .blend(0, exponent.compare(LT, 0))
                .blend(sign.not().and(INFINITY), magnitude.compare(GE, 0x4300_0000))
                .blend(Mufu.NAN, magnitude.compare(GT, INFINITY));
    }

    /// `MUFU.LG2`.
    public static IntVector lg2(IntVector bits) {
        IntVector x = bits.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        IntVector row = bits.lanewise(LSHR, 17).and(0x3f);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, LG2.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(x.and(0x1ff)).add(c2.mul(-2).mul(square)).add(0x3345);
        IntVector exponent = bits.and(MAGNITUDE).lanewise(LSHR, 23).sub(127);
        IntVector sign = exponent.lanewise(ASHR, 31);
        // The integer part, 29 fraction bits and 7 more, complemented where negative.
        IntVector whole = exponent.lanewise(XOR, sign);
        IntVector upper =
                IntVector.fromArray(WORDS, LG2.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(XOR, sign.and(0x1fff_ffff));
        IntVector lower = low.lanewise(LSHR, 2).and(0x7f).lanewise(XOR, sign.and(0x7f));
        return logarithm(bits, whole, upper, lower, sign);
    }

    /// The sum of exponent and logarithm of the fraction, cut to 24 significant bits.
    private static IntVector logarithm(
            IntVector bits, IntVector whole, IntVector upper, IntVector lower, IntVector sign) {
        var fractionOnly = whole.compare(EQ, 0);
        IntVector top =
                whole.lanewise(LSHL, 25)
                        .or(upper.lanewise(LSHR, 4))
                        .blend(upper.lanewise(LSHL, 3).or(lower.lanewise(LSHR, 4)), fractionOnly);
        IntVector zeros = top.lanewise(LEADING_ZEROS_COUNT);
        IntVector rest = lower.and(0xf).lanewise(LSHL, zeros.sub(4).max(0));
        IntVector significand =
                top.lanewise(LSHL, zeros).or(rest.blend(0, whole.compare(GT, 0))).lanewise(LSHR, 8);
        IntVector magnitude = bits.and(MAGNITUDE);
        return zeros.neg()
                .add(zeros.broadcast(132).blend(125, fractionOnly))
                .lanewise(LSHL, 23)
                .add(significand)
                .or(sign.and(SIGN))
                .blend(0, bits.compare(EQ, ONE))
                .blend(INFINITY, magnitude.compare(EQ, INFINITY))
                .blend(Mufu.NAN, bits.compare(LT, 0).or(magnitude.compare(GT, INFINITY)))
                .blend(SIGN | INFINITY, magnitude.compare(LT, HIDDEN));
    }

    /// `MUFU.SIN`, of arguments in revolutions.
    public static IntVector sin(IntVector bits) {
        IntVector turn = turn(bits);
        return wave(turn, turn.lanewise(LSHR, 23))
                .lanewise(XOR, bits.and(SIGN))
                .blend(Mufu.NAN, bits.and(MAGNITUDE).compare(GE, INFINITY));
    }

    /// `MUFU.COS`, of arguments in revolutions.
    public static IntVector cos(IntVector bits) {
        IntVector magnitude = bits.and(MAGNITUDE);
        IntVector turn = turn(bits);
        return wave(turn, turn.lanewise(LSHR, 23).add(1))
                .blend(ONE, magnitude.compare(LT, 0x3300_0000))
                .blend(Mufu.NAN, magnitude.compare(GE, INFINITY));
    }

    /// The magnitude modulo 1, cut to 25 fraction bits.
    private static IntVector turn(IntVector bits) {
        IntVector left = bits.and(MAGNITUDE).lanewise(LSHR, 23).sub(125);
        return bits.and(FRACTION)
                .or(HIDDEN)
                .lanewise(LSHL, left.max(0).min(31))
                .lanewise(LSHR, left.neg().max(0).min(31))
                .and(0x1ff_ffff);
    }

    private static IntVector wave(IntVector turn, IntVector quadrant) {
        IntVector odd = quadrant.lanewise(LSHL, 31).lanewise(ASHR, 31);
        IntVector fraction = turn.lanewise(XOR, odd).and(FRACTION);
        IntVector x = fraction.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        IntVector row = fraction.lanewise(LSHR, 17);
        int[] at = new int[LANES];
        row.intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, SIN.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector c2 = slopes.and(0x3fff);
        IntVector low = c1.mul(x.and(0x1ff)).sub(c2.mul(square));
        IntVector top =
                IntVector.fromArray(WORDS, SIN.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHL, 3)
                        .or(low.lanewise(LSHR, 6).and(0x7));
        IntVector zeros = top.lanewise(LEADING_ZEROS_COUNT);
        IntVector rest = low.and(0x3f).lanewise(LSHL, zeros.sub(6).max(0));
        return zeros.neg()
                .add(126)
                .lanewise(LSHL, 23)
                .add(top.lanewise(LSHL, zeros).or(rest).lanewise(LSHR, 8))
                .blend(0, top.compare(EQ, 0))
                .or(quadrant.lanewise(LSHL, 30).and(SIGN));
    }

    /// `MUFU.TANH`.
    public static IntVector tanh(IntVector bits) {
        IntVector magnitude = bits.and(MAGNITUDE);
        int[] at = new int[LANES];
        magnitude.lanewise(LSHR, 23).sub(Mufu.TANH_LEAST).max(0).min(10).intoArray(at, 0);
        IntVector binade = IntVector.fromArray(WORDS, MufuRows.TANH_BINADES, 0, at, 0);
        IntVector dropped = binade.and(0x7);
        IntVector fraction = bits.and(FRACTION).lanewise(LSHR, dropped);
        IntVector x = fraction.and(Interpolator.X_MASK);
        IntVector square = square(x.lanewise(LSHR, 9), x.and(0x1ff));
        fraction.lanewise(LSHR, 17).add(binade.lanewise(LSHR, 16)).intoArray(at, 0);
        IntVector slopes = IntVector.fromArray(WORDS, TANH.slopes(), 0, at, 0);
        IntVector c1 = slopes.lanewise(ASHR, 14);
        IntVector low = c1.mul(x.and(0x1ff)).add(slopes.and(0x3fff).mul(-2).mul(square));
        IntVector top =
                IntVector.fromArray(WORDS, TANH.base(), 0, at, 0)
                        .add(c1.mul(x.lanewise(LSHR, 9)))
                        .add(low.lanewise(ASHR, 9))
                        .lanewise(LSHL, 2)
                        .or(low.lanewise(LSHR, 7).and(0x3));
        IntVector zeros = top.lanewise(LEADING_ZEROS_COUNT);
        IntVector rest = low.and(0x7f).lanewise(LSHL, zeros.sub(7).max(0));
        return binade.lanewise(LSHR, 8)
                .and(0xff)
                .sub(zeros)
                .add(120)
                .lanewise(LSHL, 23)
                .add(top.lanewise(LSHL, zeros).or(rest).lanewise(LSHR, 8))
                .blend(magnitude, magnitude.compare(LT, Mufu.TANH_LEAST << 23))
                .blend(ONE, magnitude.compare(GE, 0x4100_0000))
                .or(bits.and(SIGN))
                .blend(Mufu.NAN, magnitude.compare(GT, INFINITY));
    }
}
