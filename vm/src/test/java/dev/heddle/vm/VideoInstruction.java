package dev.heddle.vm;

import java.math.BigInteger;

/// A video instruction, with what may stand in its places, and what it gives by the pseudocode of
/// the manual in unbounded integers, but where assemblers depart from it (`docs/evidence/gpu.md`).
record VideoInstruction(
        String opcode,
        boolean dSigned,
        boolean aSigned,
        boolean bSigned,
        String word,
        boolean saturates,
        String second,
        String dPart,
        String aPart,
        String bPart,
        boolean negatesA,
        boolean negatesB,
        boolean negatesC,
        int scale) {

    private static final BigInteger LONG = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    static String type(boolean signed) {
        return signed ? ".s32" : ".u32";
    }

    static String dotted(String word) {
        return word.isEmpty() ? "" : "." + word;
    }

    String text() {
        boolean set = opcode.startsWith("vset");
        boolean needsC = !second.isEmpty() || !dPart.isEmpty() || isSimd();
        return opcode
                + (set ? "" : type(dSigned))
                + type(aSigned)
                + type(bSigned)
                + (opcode.equals("vmad") && word.equals("po") ? ".po" : "")
                + (saturates ? ".sat" : "")
                + (opcode.equals("vmad") ? "" : dotted(word))
                + (scale == 0 ? "" : ".shr" + scale)
                + dotted(second)
                + " %r5"
                + dotted(dPart)
                + (negatesA ? ", -" : ", ")
                + "%r2"
                + dotted(aPart)
                + (negatesB ? ", -" : ", ")
                + "%r3"
                + dotted(bPart)
                + (needsC || opcode.equals("vmad") ? (negatesC ? ", -%r4" : ", %r4") : "")
                + ";";
    }

    boolean isSimd() {
        return Character.isDigit(opcode.charAt(opcode.length() - 1));
    }

    int expected(int a, int b, int c) {
        return isSimd() ? simd(a, b, c) : opcode.equals("vmad") ? mad(a, b, c) : scalar(a, b, c);
    }

    private int scalar(int a, int b, int c) {
        BigInteger ta = select(a, aSigned, aPart);
        BigInteger tb = select(b, bSigned, bPart);
        int bits = dPart.isEmpty() ? 32 : dPart.charAt(0) == 'h' ? 16 : 8;
        BigInteger tmp = operate(ta, tb);
        if (saturates) {
            tmp = saturated(tmp, bits);
        }
        if (!second.isEmpty()) {
            tmp = combined(tmp, c);
        }
        if (dPart.isEmpty()) {
            return tmp.intValue();
        }
        int shift = bits * (dPart.charAt(1) - '0');
        int mask = ((1 << bits) - 1) << shift;
        // Departure: the upper half is merged from the upper half.
        int moved = dPart.equals("h1") ? tmp.intValue() : tmp.intValue() << shift;
        return (moved & mask) | (c & ~mask);
    }

    private BigInteger saturated(BigInteger value, int bits) {
        if (opcode.startsWith("vsh")) {
            // 34 bits, as the manual declares the variable. Departure: 32 bits for parts, too.
            long cut = value.longValue() << 30 >> 30;
            return clamp(BigInteger.valueOf(cut), 32);
        }
        if (!dPart.isEmpty() && value.signum() < 0) {
            // Departure: a negative result of a part is clamped to the greatest number.
            return clamp(BigInteger.ONE.shiftLeft(40), bits);
        }
        if (dPart.isEmpty() && !dSigned) {
            // Departure: no upper bound.
            return value.max(BigInteger.ZERO);
        }
        return clamp(value, bits);
    }

    private BigInteger combined(BigInteger tmp, int c) {
        boolean signed = opcode.equals("vset") ? aSigned : dSigned;
        BigInteger tc = extend(c, 32, signed);
        if (second.equals("add")) {
            return tmp.add(tc);
        }
        // Departure: some results are cut to 32 bits and extended by their sign before.
        boolean cut =
                opcode.equals("vadd")
                        || opcode.equals("vsub")
                        || (opcode.startsWith("vsh") && saturates);
        BigInteger left = cut ? BigInteger.valueOf(tmp.intValue()) : tmp;
        // Departure: of an unsigned type, negative results are compared as unsigned.
        BigInteger compared =
                !signed && left.signum() < 0 ? left.add(BigInteger.ONE.shiftLeft(64)) : left;
        boolean less = compared.compareTo(tc) < 0;
        return less == second.equals("min") ? left : tc;
    }

    private int simd(int a, int b, int c) {
        int count = opcode.charAt(opcode.length() - 1) - '0';
        int bits = 32 / count;
        String standardA = count == 2 ? "h10" : "b3210";
        String standardB = count == 2 ? "h32" : "b7654";
        String maskOf = dPart.isEmpty() ? standardA : dPart;
        String ofA = aPart.isEmpty() ? standardA : aPart;
        String ofB = bPart.isEmpty() ? standardB : bPart;
        BigInteger both = extend(b, 32, false).shiftLeft(32).or(extend(a, 32, false));
        BigInteger sum = extend(c, 32, false);
        int merged = c;
        for (int i = 0; i < count; i++) {
            BigInteger va = lane(both, ofA.charAt(count - i) - '0', bits, aSigned);
            BigInteger vb = lane(both, ofB.charAt(count - i) - '0', bits, bSigned);
            BigInteger operated = operate(va, vb);
            BigInteger t = saturates ? clamp(operated, bits) : operated;
            if (maskOf.substring(1).indexOf('0' + i) >= 0) {
                sum = sum.add(t);
                int mask = ((1 << bits) - 1) << i * bits;
                merged = merged & ~mask | t.intValue() << i * bits & mask;
            }
        }
        return second.equals("add") ? sum.intValue() : merged;
    }

    private int mad(int a, int b, int c) {
        // Departure: whole words are signed, and so is c.
        BigInteger product =
                select(a, aSigned || aPart.isEmpty(), aPart)
                        .multiply(select(b, bSigned || bPart.isEmpty(), bPart));
        boolean negated = negatesA ^ negatesB;
        boolean signed = aSigned || bSigned || negated || negatesC;
        BigInteger addend = extend(c, 32, true);
        BigInteger result =
                (negated ? product.negate() : product)
                        .add(negatesC ? addend.negate() : addend)
                        .add(word.equals("po") ? BigInteger.ONE : BigInteger.ZERO);
        BigInteger scaled =
                signed || scale == 0
                        ? result.shiftRight(scale)
                        : result.and(LONG).shiftRight(scale);
        if (saturates) {
            BigInteger least = signed ? BigInteger.ONE.shiftLeft(31).negate() : BigInteger.ZERO;
            BigInteger most = BigInteger.ONE.shiftLeft(signed ? 31 : 32).subtract(BigInteger.ONE);
            return scaled.max(least).min(most).intValue();
        }
        return scaled.intValue();
    }

    private BigInteger operate(BigInteger a, BigInteger b) {
        String name = isSimd() ? opcode.substring(0, opcode.length() - 1) : opcode;
        BigInteger amount =
                word.equals("clamp")
                        ? b.min(BigInteger.valueOf(32))
                        : b.and(BigInteger.valueOf(31));
        return switch (name) {
            case "vadd" -> a.add(b);
            case "vsub" -> a.subtract(b);
            case "vabsdiff" -> a.subtract(b).abs();
            case "vmin" -> a.min(b);
            case "vmax" -> a.max(b);
            case "vavrg" -> {
                BigInteger sum = a.add(b);
                yield (sum.signum() >= 0 ? sum.add(BigInteger.ONE) : sum).shiftRight(1);
            }
            case "vshl" -> a.shiftLeft(amount.intValue());
            case "vshr" -> a.shiftRight(amount.intValue());
            default -> compare(a.compareTo(b)) ? BigInteger.ONE : BigInteger.ZERO;
        };
    }

    private boolean compare(int order) {
        return switch (word) {
            case "eq" -> order == 0;
            case "ne" -> order != 0;
            case "lt" -> order < 0;
            case "le" -> order <= 0;
            case "gt" -> order > 0;
            default -> order >= 0;
        };
    }

    private BigInteger clamp(BigInteger value, int bits) {
        BigInteger least = dSigned ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
        BigInteger most =
                BigInteger.ONE.shiftLeft(dSigned ? bits - 1 : bits).subtract(BigInteger.ONE);
        return value.max(least).min(most);
    }

    private static BigInteger lane(BigInteger both, int part, int bits, boolean signed) {
        return extend(both.shiftRight(part * bits).intValue(), bits, signed);
    }

    private static BigInteger select(int word, boolean signed, String part) {
        int bits = part.isEmpty() ? 32 : part.charAt(0) == 'h' ? 16 : 8;
        int shift = part.isEmpty() ? 0 : bits * (part.charAt(1) - '0');
        return extend(word >>> shift, bits, signed);
    }

    /// The lowest bits of a word as a number.
    private static BigInteger extend(int word, int bits, boolean signed) {
        long low = word & (1L << bits) - 1;
        boolean negative = signed && (low >> bits - 1 & 1) != 0;
        return BigInteger.valueOf(negative ? low - (1L << bits) : low);
    }
}
