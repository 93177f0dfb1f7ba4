package dev.heddle.tensorcore.x86;

import static dev.heddle.tensorcore.x86.Assembler.LEFT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT;
import static dev.heddle.tensorcore.x86.Assembler.RIGHT_WITH_SIGN;

/// Operations on lanes that AVX2 lacks, made of those that it has.
///
/// Results are made in [Avx2Assembler#RESULT]. The first operand is in a register, the last one
/// may be in memory.
record Avx2Emulation(Avx2Assembler code) {
    private static final int RESULT = Avx2Assembler.RESULT;
    private static final int SECOND = Avx2Assembler.SECOND;
    private static final int LAST = Avx2Assembler.LAST;
    private static final int SPARE = Avx2Assembler.SPARE;

    boolean knows(Evex operation) {
        return switch (operation) {
            case VPMULLQ,
                    VPMINSQ,
                    VPMAXSQ,
                    VPMINUQ,
                    VPMAXUQ,
                    VPABSQ,
                    VPLZCNTD,
                    VPOPCNTD,
                    VPSRAVQ,
                    VPSHLDVD,
                    VPSHRDVD,
                    VPTERNLOGD,
                    VPTERNLOGQ,
                    VRANGEPS,
                    VCVTUDQ2PS,
                    VCVTTPS2UDQ,
                    VCVTTPD2QQ,
                    VCVTTPD2UQQ ->
                    true;
            default -> false;
        };
    }

    private static Operand register(int number) {
        return Operand.register(number);
    }

    /// @param first the operand in the middle, where there is one
    /// @param old what the target holds, where that is read
    void emit(Evex operation, int first, Operand last, int old, int constant) {
        switch (operation) {
            case VPMULLQ -> product(first, last);
            case VPMINSQ -> extreme(first, last, false, false);
            case VPMAXSQ -> extreme(first, last, true, false);
            case VPMINUQ -> extreme(first, last, false, true);
            case VPMAXUQ -> extreme(first, last, true, true);
            case VPABSQ -> {
                int from = code.load(last, LAST);
                signOf(from);
                code.emit(Evex.VPXORD, SPARE, from, register(RESULT));
                code.emit(Evex.VPSUBQ, RESULT, SPARE, register(RESULT));
            }
            case VPLZCNTD -> leadingZeros(code.load(last, LAST));
            case VPOPCNTD -> population(code.load(last, LAST));
            case VPSRAVQ -> {
                signOf(first);
                code.emit(Evex.VPXORD, SPARE, first, register(RESULT));
                code.emit(Evex.VPSRLVQ, SPARE, SPARE, last);
                code.emit(Evex.VPXORD, RESULT, RESULT, register(SPARE));
            }
            case VPSHLDVD -> funnel(Evex.VPSLLVD, Evex.VPSRLVD, RIGHT, first, last, old);
            case VPSHRDVD -> funnel(Evex.VPSRLVD, Evex.VPSLLVD, LEFT, first, last, old);
            case VPTERNLOGD, VPTERNLOGQ -> logic(constant, old, first, last);
            case VRANGEPS -> {
                // Zeros are equal and have signs: one of both orders has the right one.
                boolean most = (constant & 1) != 0;
                Evex pick = most ? Evex.VMAXPS : Evex.VMINPS;
                int other = code.load(last, LAST);
                code.emit(pick, RESULT, first, register(other));
                code.emit(pick, SPARE, other, register(first));
                code.emit(most ? Evex.VPANDD : Evex.VPORD, RESULT, RESULT, register(SPARE));
            }
            case VCVTUDQ2PS -> unsignedToFloat(code.load(last, LAST));
            case VCVTTPS2UDQ -> floatToUnsigned(code.load(last, LAST));
            case VCVTTPD2QQ -> doubleToLong(code.load(last, LAST), 0x1p63, Long.MIN_VALUE);
            case VCVTTPD2UQQ -> doubleToLong(code.load(last, LAST), 0x1p64, -1);
            default -> throw new IllegalArgumentException(operation.name());
        }
    }

    /// A shift by a constant.
    void shift(Evex operation, int digit, int target, int source, int amount) {
        boolean isLong = operation == Evex.VPSLLQ_I || operation == Evex.VPSRAQ_I;
        if (isLong && digit == RIGHT_WITH_SIGN) {
            signOf(source);
            code.emit(Evex.VPXORD, SPARE, source, register(RESULT));
            code.shift(true, RIGHT, SPARE, SPARE, amount);
            code.emit(Evex.VPXORD, target, RESULT, register(SPARE));
        } else if (operation == Evex.VPSHIFTW_I) {
            code.emit(operation, digit, target, register(source), amount);
        } else {
            code.shift(isLong, digit, target, source, amount);
        }
    }

    /// All bits of longs set where these are negative.
    private void signOf(int source) {
        code.emit(Evex.VPXORD, SPARE, SPARE, register(SPARE));
        code.emit(Vex.VPCMPGTQ, RESULT, SPARE, register(source));
    }

    /// The lower halves of products of longs: of the four products of their halves, three.
    private void product(int first, Operand last) {
        code.shift(true, RIGHT, RESULT, first, 32);
        code.emit(Evex.VPMULUDQ, RESULT, RESULT, last);
        int other = code.load(last, SPARE);
        code.shift(true, RIGHT, SPARE, other, 32);
        code.emit(Evex.VPMULUDQ, SPARE, SPARE, register(first));
        code.emit(Evex.VPADDQ, RESULT, RESULT, register(SPARE));
        code.shift(true, LEFT, RESULT, RESULT, 32);
        code.emit(Evex.VPMULUDQ, SPARE, first, last);
        code.emit(Evex.VPADDQ, RESULT, RESULT, register(SPARE));
    }

    private void extreme(int first, Operand last, boolean most, boolean unsigned) {
        if (unsigned) {
            Operand sign = code.longword(Long.MIN_VALUE);
            code.emit(Evex.VPXORD, RESULT, first, sign);
            int other = code.load(last, SPARE);
            code.emit(Evex.VPXORD, SPARE, other, sign);
            code.emit(Vex.VPCMPGTQ, RESULT, RESULT, register(SPARE));
        } else {
            code.emit(Vex.VPCMPGTQ, RESULT, first, last);
        }
        if (most) {
            int other = code.load(last, SPARE);
            code.emit(Vex.VBLENDVPD, RESULT, other, register(first), RESULT << 4);
        } else {
            code.emit(Vex.VBLENDVPD, RESULT, first, last, RESULT << 4);
        }
    }

    /// By the exponent of a float, in which only the first one counts: the bit behind it is
    /// cleared, so that nothing is rounded up. A negative number has none, which saturates.
    private void leadingZeros(int source) {
        code.shift(false, RIGHT, RESULT, source, 1);
        code.emit(Vex.VPANDN, RESULT, RESULT, register(source));
        code.emit(Evex.VCVTDQ2PS, RESULT, 0, register(RESULT));
        code.shift(false, RIGHT, RESULT, RESULT, 23);
        code.emit(Evex.VMOVDQU32, SPARE, 0, code.word(127 + 31));
        code.emit(Vex.VPSUBUSW, RESULT, SPARE, register(RESULT));
        code.emit(Evex.VPMINUD, RESULT, RESULT, code.word(32));
    }

    /// The ones of each four bits from a table, added up.
    private void population(int source) {
        int[] table = new int[16];
        for (int i = 0; i < 16; i++) {
            for (int nibble = 0; nibble < 4; nibble++) {
                table[i] |= Integer.bitCount(4 * (i % 4) + nibble) << 8 * nibble;
            }
        }
        code.emit(Evex.VMOVDQU32, SECOND, 0, code.steps(table));
        Operand nibbles = code.word(0x0f0f_0f0f);
        code.emit(Evex.VPANDD, RESULT, source, nibbles);
        code.emit(Evex.VPSHUFB, RESULT, SECOND, register(RESULT));
        code.shift(false, RIGHT, SPARE, source, 4);
        code.emit(Evex.VPANDD, SPARE, SPARE, nibbles);
        code.emit(Evex.VPSHUFB, SPARE, SECOND, register(SPARE));
        code.emit(Vex.VPADDB, RESULT, RESULT, register(SPARE));
        code.emit(Vex.VPMADDUBSW, RESULT, RESULT, code.word(0x0101_0101));
        code.emit(Evex.VPMADDWD, RESULT, RESULT, code.word(0x0001_0001));
    }

    /// Two words side by side, shifted by the last operand modulo 32. The second shift is by one
    /// more than the rest of 31, so that nothing remains of an amount of zero.
    private void funnel(Evex one, Evex back, int digit, int first, Operand last, int old) {
        code.emit(Evex.VMOVDQU32, RESULT, 0, last);
        code.emit(Evex.VPANDD, RESULT, RESULT, code.word(31));
        code.emit(one, SPARE, old, register(RESULT));
        code.emit(Evex.VPXORD, RESULT, RESULT, code.word(31));
        code.emit(back, RESULT, first, register(RESULT));
        code.shift(false, digit, RESULT, RESULT, 1);
        code.emit(Evex.VPORD, RESULT, RESULT, register(SPARE));
    }

    /// Any function of three bits: one of two bits where the third is clear, another where it is
    /// set.
    private void logic(int table, int a, int b, Operand c) {
        int clear = 0;
        int set = 0;
        for (int i = 0; i < 4; i++) {
            clear |= (table >>> 2 * i & 1) << i;
            set |= (table >>> 2 * i + 1 & 1) << i;
        }
        if (clear == set) {
            logic(clear, RESULT, a, b);
            return;
        }
        logic(clear, RESULT, a, b);
        code.emit(Evex.VPANDD, SPARE, RESULT, c);
        code.emit(Evex.VPXORD, RESULT, RESULT, register(SPARE));
        logic(set, SPARE, a, b);
        code.emit(Evex.VPANDD, SPARE, SPARE, c);
        code.emit(Evex.VPORD, RESULT, RESULT, register(SPARE));
    }

    /// A function of two bits, by what it is for 00, 01, 10 and 11.
    private void logic(int table, int target, int a, int b) {
        switch (table) {
            case 0b0000 -> code.emit(Evex.VPXORD, target, target, register(target));
            case 0b1111 -> code.emit(Vex.VPCMPEQD, target, target, register(target));
            case 0b1000 -> code.emit(Evex.VPANDD, target, a, register(b));
            case 0b1110 -> code.emit(Evex.VPORD, target, a, register(b));
            case 0b0110 -> code.emit(Evex.VPXORD, target, a, register(b));
            case 0b0100 -> code.emit(Vex.VPANDN, target, b, register(a));
            case 0b0010 -> code.emit(Vex.VPANDN, target, a, register(b));
            case 0b1100 -> code.emit(Evex.VMOVDQU32, target, 0, register(a));
            case 0b1010 -> code.emit(Evex.VMOVDQU32, target, 0, register(b));
            default -> {
                logic(~table & 15, target, a, b);
                code.emit(Evex.VPXORD, target, target, code.word(-1));
            }
        }
    }

    /// The upper half times 2^16, and the lower one: both exact, their sum rounded once.
    private void unsignedToFloat(int source) {
        code.shift(false, RIGHT, RESULT, source, 16);
        code.emit(Evex.VCVTDQ2PS, RESULT, 0, register(RESULT));
        code.emit(Evex.VMULPS, RESULT, RESULT, code.word(Float.floatToRawIntBits(0x1p16f)));
        code.emit(Evex.VPANDD, SPARE, source, code.word(0xffff));
        code.emit(Evex.VCVTDQ2PS, SPARE, 0, register(SPARE));
        code.emit(Evex.VADDPS, RESULT, RESULT, register(SPARE));
    }

    /// From 2^31 on less that, which is put back as the highest bit.
    private void floatToUnsigned(int source) {
        int greaterOrEqual = 0x1d;
        Operand limit = code.word(Float.floatToRawIntBits(0x1p31f));
        code.emit(Evex.VCMPPS, RESULT, source, limit, greaterOrEqual);
        code.emit(Evex.VPANDD, SPARE, RESULT, limit);
        code.emit(Evex.VSUBPS, SPARE, source, register(SPARE));
        code.emit(Evex.VCVTTPS2DQ, SPARE, 0, register(SPARE));
        code.shift(false, LEFT, RESULT, RESULT, 31);
        code.emit(Evex.VPXORD, RESULT, RESULT, register(SPARE));
    }

    /// The upper word of what is left when it is cut off, rounded down, and the rest: each becomes
    /// the low word of a double when one is added whose last bit is worth one. What is not below a
    /// limit has a value of its own.
    private void doubleToLong(int source, double limit, long otherwise) {
        code.emit(Vex.VROUNDPD, RESULT, 0, register(source), 8 | Assembler.TOWARD_ZERO);
        code.emit(Evex.VMULPD, SPARE, RESULT, number(0x1p-32));
        code.emit(Vex.VROUNDPD, SPARE, 0, register(SPARE), 8 | Assembler.DOWN);
        code.emit(Evex.VMULPD, SECOND, SPARE, number(0x1p32));
        code.emit(Evex.VSUBPD, RESULT, RESULT, register(SECOND));
        code.emit(Evex.VADDPD, RESULT, RESULT, number(0x1p52));
        code.emit(Evex.VADDPD, SPARE, SPARE, number(0x1.8p52));
        code.emit(Evex.VPANDD, RESULT, RESULT, code.longword(0xffff_ffffL));
        code.shift(true, LEFT, SPARE, SPARE, 32);
        code.emit(Evex.VPORD, RESULT, RESULT, register(SPARE));
        code.emit(Evex.VPANDD, SPARE, source, code.longword(Long.MAX_VALUE));
        code.emit(Evex.VCMPPD, SPARE, SPARE, number(limit), Assembler.LESS_ORDERED);
        code.emit(Evex.VMOVDQU32, SECOND, 0, code.longword(otherwise));
        code.emit(Vex.VBLENDVPD, RESULT, SECOND, register(RESULT), SPARE << 4);
    }

    private Operand number(double value) {
        return code.longword(Double.doubleToRawLongBits(value));
    }

    /// A fused sum of `f16` or `bf16` numbers rounded to odd, made in [Avx2Assembler#SECOND].
    ///
    /// The sum s is the nearest one; what it lacks is found as Knuth's sum of two finds it, from
    /// the product itself: e = (a b - (s - c)) + (c - (s - (s - c))). That is exact where the
    /// product is a `float`, as those of `f16` are. One of `bf16` has 16 bits and is none below
    /// 2^-134, or from 2^128 on. From there on s is exact or infinite, and e is 0 or no number,
    /// which changes nothing. Below, e may be wrong only where no later rounding to `bf16` sees
    /// it: half way between two numbers of 2^-133 apart, s is 2^-134 from c, and the product would
    /// have to be 2^-134 - 2^-150, or 65535 = 3 * 5 * 17 * 257 a product of factors below 256.
    void fusedToOdd(int a, int b, int c) {
        code.emit(Evex.VMOVDQU32, SECOND, 0, register(c));
        code.emit(Evex.VFMADD231PS, SECOND, a, register(b));
        code.emit(Evex.VSUBPS, RESULT, SECOND, register(c));
        code.emit(Evex.VSUBPS, LAST, SECOND, register(RESULT));
        code.emit(Evex.VSUBPS, LAST, c, register(LAST));
        code.emit(Vex.VFMSUB231PS, RESULT, a, register(b));
        code.emit(Evex.VADDPS, RESULT, RESULT, register(LAST));
        code.emit(Evex.VCMPPS, SPARE, RESULT, code.word(0), Assembler.NOT_EQUAL_ORDERED);
        // One less where the exact sum is nearer to zero; then the last bit is set.
        code.emit(Evex.VPXORD, RESULT, RESULT, register(SECOND));
        code.shift(false, RIGHT_WITH_SIGN, RESULT, RESULT, 31);
        code.emit(Evex.VPANDD, RESULT, RESULT, register(SPARE));
        code.emit(Evex.VPADDD, SECOND, SECOND, register(RESULT));
        code.shift(false, RIGHT, SPARE, SPARE, 31);
        code.emit(Evex.VPORD, SECOND, SECOND, register(SPARE));
    }
}
