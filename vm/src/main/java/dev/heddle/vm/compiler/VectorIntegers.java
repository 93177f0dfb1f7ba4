package dev.heddle.vm.compiler;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Vector forms of the operations on integers and predicates.
final class VectorIntegers {
    private VectorIntegers() {}

    static IntVector move32(IntVector a) {
        return a;
    }

    static IntVector select32(VectorMask<Integer> condition, IntVector a, IntVector b) {
        return b.blend(a, condition);
    }

    static LongVector move64(LongVector a) {
        return a;
    }

    static LongVector select64(VectorMask<Long> condition, LongVector a, LongVector b) {
        return b.blend(a, condition);
    }

    static IntVector shiftLeft32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.LSHL, b).blend(0, b.compare(VectorOperators.UGE, 32));
    }

    static IntVector shiftRightU32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.LSHR, b).blend(0, b.compare(VectorOperators.UGE, 32));
    }

    static IntVector shiftRightS32(IntVector a, IntVector b) {
        return a.lanewise(VectorOperators.ASHR, b.lanewise(VectorOperators.UMIN, 31));
    }

    static IntVector shiftLeft32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    static IntVector shiftRightU32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    static IntVector shiftRightS32By(IntVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    static LongVector shiftLeft64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHL, amount);
    }

    static LongVector shiftRightU64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.LSHR, amount);
    }

    static LongVector shiftRightS64By(LongVector a, int amount) {
        return a.lanewise(VectorOperators.ASHR, amount);
    }

    static IntVector zeroExtend16(IntVector a) {
        return a.and(0xffff);
    }

    static IntVector zeroExtend8(IntVector a) {
        return a.and(0xff);
    }

    static IntVector high32(IntVector a) {
        return a.lanewise(VectorOperators.LSHR, 16);
    }

    static IntVector signExtend16(IntVector a) {
        return a.lanewise(VectorOperators.LSHL, 16).lanewise(VectorOperators.ASHR, 16);
    }

    static IntVector signExtend8(IntVector a) {
        return a.lanewise(VectorOperators.LSHL, 24).lanewise(VectorOperators.ASHR, 24);
    }

    static IntVector pair16(IntVector a, IntVector b) {
        return a.and(0xffff).or(b.lanewise(VectorOperators.LSHL, 16));
    }

    static IntVector populationCount32(IntVector a) {
        return a.lanewise(VectorOperators.BIT_COUNT);
    }

    static IntVector leadingZeros32(IntVector a) {
        return a.lanewise(VectorOperators.LEADING_ZEROS_COUNT);
    }

    static IntVector reverse32(IntVector a) {
        return a.lanewise(VectorOperators.REVERSE);
    }

    static LongVector zeroExtend32(IntVector a) {
        return (LongVector) a.convertShape(VectorOperators.ZERO_EXTEND_I2L, VectorLanes.LONGS, 0);
    }

    static LongVector signExtend32(IntVector a) {
        return (LongVector) a.convertShape(VectorOperators.I2L, VectorLanes.LONGS, 0);
    }

    static IntVector truncate64(LongVector a) {
        return (IntVector) a.convertShape(VectorOperators.L2I, VectorLanes.WORDS, 0);
    }

    static IntVector high64(LongVector a) {
        return truncate64(a.lanewise(VectorOperators.LSHR, 32));
    }

    static LongVector pair32(IntVector low, IntVector high) {
        return zeroExtend32(low).or(zeroExtend32(high).lanewise(VectorOperators.LSHL, 32));
    }

    static LongVector multiplyWideS32(IntVector a, IntVector b) {
        return signExtend32(a).mul(signExtend32(b));
    }

    static LongVector multiplyWideU32(IntVector a, IntVector b) {
        return zeroExtend32(a).mul(zeroExtend32(b));
    }

    static IntVector multiplyHighU32(IntVector a, IntVector b) {
        return high64(multiplyWideU32(a, b));
    }

    static IntVector multiplyHighS32(IntVector a, IntVector b) {
        return high64(multiplyWideS32(a, b));
    }

    static VectorMask<Integer> andPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.and(b);
    }

    static VectorMask<Integer> orPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.or(b);
    }

    static VectorMask<Integer> xorPredicate(VectorMask<Integer> a, VectorMask<Integer> b) {
        return a.xor(b);
    }

    static VectorMask<Integer> notPredicate(VectorMask<Integer> a) {
        return a.not();
    }

    static VectorMask<Integer> movePredicate(VectorMask<Integer> a) {
        return a;
    }

    /// The table splits over `a` into two functions of `b` and `c`.
    static IntVector lookup32(IntVector a, IntVector b, IntVector c, int table) {
        IntVector set = function(b, c, table >> 4 & 15);
        IntVector clear = function(b, c, table & 15);
        return a.and(set).or(a.not().and(clear));
    }

    private static IntVector function(IntVector b, IntVector c, int table) {
        return switch (table) {
            case 0 -> b.lanewise(VectorOperators.XOR, b);
            case 1 -> b.or(c).not();
            case 2 -> b.not().and(c);
            case 3 -> b.not();
            case 4 -> b.and(c.not());
            case 5 -> c.not();
            case 6 -> b.lanewise(VectorOperators.XOR, c);
            case 7 -> b.and(c).not();
            case 8 -> b.and(c);
            case 9 -> b.lanewise(VectorOperators.XOR, c).not();
            case 10 -> c;
            case 11 -> b.not().or(c);
            case 12 -> b;
            case 13 -> b.or(c.not());
            case 14 -> b.or(c);
            default -> b.lanewise(VectorOperators.XOR, b).not();
        };
    }
}
