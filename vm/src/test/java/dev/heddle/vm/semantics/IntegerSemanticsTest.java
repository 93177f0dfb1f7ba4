package dev.heddle.vm.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.SplittableRandom;

@DisplayName("PTX ISA 9.7.1, 9.7.2 and 9.7.8: integers against big integers and the manual's loops")
final class IntegerSemanticsTest {
    private static final long SEED = 7;
    private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);

    private static BigInteger unsigned(long a) {
        return a < 0 ? BigInteger.valueOf(a).add(WORD) : BigInteger.valueOf(a);
    }

    @Test
    void carriesAreBit64OfTheExactSum() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            long a = random.nextInt(4) == 0 ? -random.nextInt(3) : random.nextLong();
            long b = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong();
            int carry = random.nextInt(2);
            BigInteger sum = unsigned(a).add(unsigned(b)).add(BigInteger.valueOf(carry));
            assertThat(IntegerArithmetic.carryOfAdd64(a, b, carry))
                    .isEqualTo(sum.compareTo(WORD) >= 0 ? 1 : 0);
            assertThat(IntegerArithmetic.multiplyHighU64(a, b))
                    .isEqualTo(unsigned(a).multiply(unsigned(b)).shiftRight(64).longValue());
        }
    }

    @Test
    void lookupsReadTheTableBitByBit() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int table = 0; table < 256; table++) {
            int a = random.nextInt();
            int b = random.nextInt();
            int c = random.nextInt();
            int expected = 0;
            for (int bit = 0; bit < 32; bit++) {
                int index = (a >>> bit & 1) << 2 | (b >>> bit & 1) << 1 | c >>> bit & 1;
                expected |= (table >>> index & 1) << bit;
            }
            assertThat(BitManipulation.lookup32(a, b, c, table)).isEqualTo(expected);
        }
    }

    @Test
    void bitFieldsFollowTheManualsLoop() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 20_000; i++) {
            int a = random.nextInt();
            int position = random.nextInt(40);
            int length = random.nextInt(40);
            // The manual's semantics of bfe.s32, transcribed.
            int sign = length == 0 ? 0 : a >>> Math.min(position + length - 1, 31) & 1;
            int expected = 0;
            for (int bit = 0; bit < 32; bit++) {
                int source = bit < length && position + bit <= 31 ? a >>> position + bit & 1 : sign;
                expected |= source << bit;
            }
            assertThat(BitManipulation.extractS32(a, position, length)).isEqualTo(expected);
        }
    }

    @Test
    void shiftsClampAtTheWidth() {
        assertThat(BitManipulation.shiftLeft32(1, 32)).isZero();
        assertThat(BitManipulation.shiftLeft32(1, -1)).isZero();
        assertThat(BitManipulation.shiftRightS32(-5, 77)).isEqualTo(-1);
        assertThat(BitManipulation.shiftRightU64(-1, 64)).isZero();
        assertThat(BitManipulation.funnelLeftClamp32(0x1234, 0x5678, 32)).isEqualTo(0x1234);
        assertThat(BitManipulation.funnelRightWrap32(0x1234, 0x5678, 32)).isEqualTo(0x1234);
    }

    @Test
    void permutationsPickBytesAndSigns() {
        assertThat(BitManipulation.permute32(0x03020100, 0x07060504, 0x7531)).isEqualTo(0x07050301);
        assertThat(BitManipulation.permute32(0x000000ff, 0, 0x8888)).isEqualTo(-1);
        assertThat(BitManipulation.fnsB32(0xaaaaaaaa, 3, 1)).isEqualTo(3);
        assertThat(BitManipulation.fnsB32(0xaaaaaaaa, 2, -1)).isEqualTo(1);
    }

    @Test
    @DisplayName("measured on an H200: NaN to integer")
    void nanBecomesWhatTheChipGives() {
        assertThat(Conversion.s32FromF32(Float.NaN)).isZero();
        assertThat(Conversion.s32FromF64(Double.NaN)).isEqualTo(0x8000_0000);
        assertThat(Conversion.s64FromF32(Float.NaN)).isEqualTo(Long.MIN_VALUE);
        assertThat(Conversion.u64FromF64(Double.NaN)).isEqualTo(Long.MIN_VALUE);
        assertThat(Conversion.u32FromF32(-3f)).isZero();
        assertThat(Conversion.s8FromF32(300f)).isEqualTo(127);
    }
}
