package dev.heddle.tensorcore.x86;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

@DisplayName(
        "AVX2 in the place of AVX-512: each instruction as the processor's manual says, in Java")
final class Avx2AssemblerTest extends Avx2Vectors {
    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode(), "needs AVX2");
    }

    /// What an instruction does to a lane.
    interface OfWords {
        int apply(int a, int b, int old);
    }

    interface OfLongs {
        long apply(long a, long b);
    }

    record Words(Evex instruction, int constant, OfWords meaning) {
        @Override
        public String toString() {
            return instruction + (constant < 0 ? "" : " " + constant);
        }
    }

    record Longs(Evex instruction, OfLongs meaning) {
        @Override
        public String toString() {
            return instruction.name();
        }
    }

    private static Words words(Evex instruction, OfWords meaning) {
        return new Words(instruction, -1, meaning);
    }

    static Stream<Words> ofWords() {
        return Stream.concat(
                Stream.of(
                        words(Evex.VPADDD, (a, b, _) -> a + b),
                        words(Evex.VPSUBD, (a, b, _) -> a - b),
                        words(Evex.VPMULLD, (a, b, _) -> a * b),
                        words(Evex.VPANDD, (a, b, _) -> a & b),
                        words(Evex.VPORD, (a, b, _) -> a | b),
                        words(Evex.VPXORD, (a, b, _) -> a ^ b),
                        words(Evex.VPMINSD, (a, b, _) -> Math.min(a, b)),
                        words(Evex.VPMAXSD, (a, b, _) -> Math.max(a, b)),
                        words(Evex.VPMINUD, (a, b, _) -> Integer.compareUnsigned(a, b) < 0 ? a : b),
                        words(Evex.VPMAXUD, (a, b, _) -> Integer.compareUnsigned(a, b) < 0 ? b : a),
                        words(Evex.VPSLLVD, (a, b, _) -> b >>> 5 != 0 ? 0 : a << b),
                        words(Evex.VPSRLVD, (a, b, _) -> b >>> 5 != 0 ? 0 : a >>> b),
                        words(Evex.VPSRAVD, (a, b, _) -> a >> (b >>> 5 != 0 ? 31 : b)),
                        words(
                                Evex.VPMADDWD,
                                (a, b, _) -> (short) a * (short) b + (a >> 16) * (b >> 16)),
                        words(Evex.VPABSD, (_, b, _) -> Math.abs(b)),
                        words(Evex.VPLZCNTD, (_, b, _) -> Integer.numberOfLeadingZeros(b)),
                        words(Evex.VPOPCNTD, (_, b, _) -> Integer.bitCount(b)),
                        words(Evex.VCVTDQ2PS, (_, b, _) -> Float.floatToRawIntBits(b)),
                        words(
                                Evex.VCVTUDQ2PS,
                                (_, b, _) -> Float.floatToRawIntBits((float) (b & 0xffff_ffffL))),
                        words(
                                Evex.VPSHLDVD,
                                (a, b, old) ->
                                        (int)
                                                (((long) old << 32 | a & 0xffff_ffffL)
                                                        << (b & 31)
                                                        >>> 32)),
                        words(
                                Evex.VPSHRDVD,
                                (a, b, old) ->
                                        (int)
                                                (((long) a << 32 | old & 0xffff_ffffL)
                                                        >>> (b & 31)))),
                IntStream.range(0, 256)
                        .mapToObj(
                                table ->
                                        new Words(
                                                Evex.VPTERNLOGD,
                                                table,
                                                (a, b, old) -> logic(table, old, a, b))));
    }

    private static int logic(int table, int a, int b, int c) {
        int found = 0;
        for (int bit = 0; bit < 32; bit++) {
            int index = (a >>> bit & 1) << 2 | (b >>> bit & 1) << 1 | c >>> bit & 1;
            found |= (table >>> index & 1) << bit;
        }
        return found;
    }

    static Stream<Longs> ofLongs() {
        return Stream.of(
                new Longs(Evex.VPADDQ, Long::sum),
                new Longs(Evex.VPSUBQ, (a, b) -> a - b),
                new Longs(Evex.VPMULLQ, (a, b) -> a * b),
                new Longs(Evex.VPMULUDQ, (a, b) -> (a & 0xffff_ffffL) * (b & 0xffff_ffffL)),
                new Longs(Evex.VPMULDQ, (a, b) -> (long) (int) a * (int) b),
                new Longs(Evex.VPMINSQ, Math::min),
                new Longs(Evex.VPMAXSQ, Math::max),
                new Longs(Evex.VPMINUQ, (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b),
                new Longs(Evex.VPMAXUQ, (a, b) -> Long.compareUnsigned(a, b) < 0 ? b : a),
                new Longs(Evex.VPABSQ, (_, b) -> Math.abs(b)),
                new Longs(Evex.VPSLLVQ, (a, b) -> b >>> 6 != 0 ? 0 : a << b),
                new Longs(Evex.VPSRLVQ, (a, b) -> b >>> 6 != 0 ? 0 : a >>> b),
                new Longs(Evex.VPSRAVQ, (a, b) -> a >> (b >>> 6 != 0 ? 63 : b)));
    }

    @ParameterizedTest
    @MethodSource("ofWords")
    void wordsAreComputedWithAndWithoutMask(Words subject) {
        for (int target : new int[] {1, 21}) {
            run(
                    target,
                    code ->
                            code.vector(
                                    subject.instruction(),
                                    target,
                                    A,
                                    Operand.register(B),
                                    subject.constant()));
            OfWords meaning = subject.meaning();
            assertThat(result).isEqualTo(each(i -> meaning.apply(a[i], b[i], old[i])));
        }
        if (subject.instruction() == Evex.VPTERNLOGD) {
            return;
        }
        boolean zeroing = random.nextBoolean();
        run(
                21,
                code ->
                        code.vector(
                                subject.instruction(), 21, A, Operand.register(B), 2, zeroing, -1));
        assertThat(result)
                .isEqualTo(
                        each(
                                i ->
                                        set(i)
                                                ? subject.meaning().apply(a[i], b[i], old[i])
                                                : zeroing ? 0 : old[i]));
    }

    @ParameterizedTest
    @MethodSource("ofLongs")
    void longsAreComputed(Longs subject) {
        b[6] = 5;
        b[7] = 0;
        for (int target : new int[] {1, 21}) {
            run(target, code -> code.vector(subject.instruction(), target, A, Operand.register(B)));
            for (int i = 0; i < 8; i++) {
                assertThat(lane(result, i))
                        .isEqualTo(subject.meaning().apply(lane(a, i), lane(b, i)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void comparisonsLeaveMasks(int relation) {
        a[3] = b[3];
        a[4] = b[4];
        a[5] = b[5];
        for (Evex compare : new Evex[] {Evex.VPCMPD, Evex.VPCMPUD, Evex.VPCMPQ, Evex.VPCMPUQ}) {
            boolean isLong = compare == Evex.VPCMPQ || compare == Evex.VPCMPUQ;
            boolean unsigned = compare == Evex.VPCMPUD || compare == Evex.VPCMPUQ;
            for (int mask : new int[] {0, 2}) {
                run(
                        21,
                        code ->
                                code.vector(
                                        compare, 3, A, Operand.register(B), mask, false, relation));
                int expected = 0;
                for (int i = 0; i < (isLong ? 8 : 16); i++) {
                    long bias = !unsigned ? 0 : isLong ? Long.MIN_VALUE : Integer.MIN_VALUE;
                    long left = (isLong ? lane(a, i) : a[i]) ^ bias;
                    long right = (isLong ? lane(b, i) : b[i]) ^ bias;
                    boolean holds =
                            switch (relation & 3) {
                                case 0 -> left == right;
                                case 1 -> left < right;
                                case 2 -> left <= right;
                                default -> false;
                            };
                    boolean wanted = holds != relation > 3 && (mask == 0 || set(i));
                    expected |= wanted ? 1 << i : 0;
                }
                assertThat(masks[1]).as("%s %s", compare, mask).isEqualTo(expected);
            }
        }
    }

    @Test
    void testsLeaveMasks() {
        b[1] = ~a[1];
        b[2] = ~a[2];
        b[3] = ~a[3];
        run(21, code -> code.vector(Evex.VPTESTMD, 3, A, Operand.register(B)));
        int words = masks[1];
        run(21, code -> code.vector(Evex.VPTESTNMQ, 3, A, Operand.register(B)));
        for (int i = 0; i < 16; i++) {
            assertThat(words >>> i & 1).isEqualTo((a[i] & b[i]) != 0 ? 1 : 0);
            assertThat(i > 7 ? 0 : masks[1] >>> i & 1)
                    .isEqualTo(i < 8 && (lane(a, i) & lane(b, i)) == 0 ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 31})
    void shiftsByConstantsAreOfHalves(int amount) {
        for (int target : new int[] {1, 21}) {
            run(target, code -> code.vector(Evex.VPSLLD_I, 2, target, Operand.register(B), amount));
            assertThat(result).isEqualTo(each(i -> b[i] >>> amount));
            run(target, code -> code.vector(Evex.VPSRAD_I, 4, target, Operand.register(A), amount));
            assertThat(result).isEqualTo(each(i -> a[i] >> amount));
            run(
                    target,
                    code -> code.vector(Evex.VPSRAQ_I, 4, target, Operand.register(B), 2 * amount));
            for (int i = 0; i < 8; i++) {
                assertThat(lane(result, i)).isEqualTo(lane(b, i) >> 2 * amount);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 15})
    void halvesOfWordsAreShiftedEachByItself(int amount) {
        for (int target : new int[] {1, 21}) {
            run(
                    target,
                    code -> code.vector(Evex.VPSHIFTW_I, 4, target, Operand.register(A), amount));
            assertThat(result)
                    .isEqualTo(
                            each(
                                    i ->
                                            (a[i] >> 16 >> amount) << 16
                                                    | (short) a[i] >> amount & 0xffff));
            run(
                    target,
                    code -> code.vector(Evex.VPSHIFTW_I, 6, target, Operand.register(B), amount));
            assertThat(result)
                    .isEqualTo(each(i -> (b[i] >>> 16 << amount) << 16 | b[i] << amount & 0xffff));
        }
    }

    @Test
    void bytesArePickedWithinSixteen() {
        run(21, code -> code.vector(Evex.VPSHUFB, 21, A, Operand.register(B)));
        for (int at = 0; at < 64; at++) {
            int pick = b[at / 4] >>> at % 4 * 8 & 0xff;
            int from = at / 16 * 16 + pick % 16;
            int expected = pick > 127 ? 0 : a[from / 4] >>> from % 4 * 8 & 0xff;
            assertThat(result[at / 4] >>> at % 4 * 8 & 0xff).isEqualTo(expected);
        }
    }

    @Test
    void floatsAreRoundedOnce() {
        Arrays.setAll(a, i -> Float.floatToRawIntBits(f(a[i])));
        Arrays.setAll(b, i -> Float.floatToRawIntBits(f(b[i])));
        Arrays.setAll(old, i -> Float.floatToRawIntBits(f(old[i])));
        run(1, code -> code.vector(Evex.VFMADD213PS, 1, A, Operand.register(B)));
        for (int i = 0; i < 16; i++) {
            float expected =
                    Math.fma(
                            Float.intBitsToFloat(old[i]),
                            Float.intBitsToFloat(a[i]),
                            Float.intBitsToFloat(b[i]));
            assertThat(Float.intBitsToFloat(result[i])).isEqualTo(expected);
        }
        a[0] = Float.floatToRawIntBits(0f);
        b[0] = Float.floatToRawIntBits(-0f);
        run(21, code -> code.vector(Evex.VRANGEPS, 21, A, Operand.register(B), 4));
        assertThat(result)
                .isEqualTo(
                        each(
                                i ->
                                        Float.floatToRawIntBits(
                                                Math.min(
                                                        Float.intBitsToFloat(a[i]),
                                                        Float.intBitsToFloat(b[i])))));
        float[] wide = {0f, 1.9f, 0x1p31f, 0x1.fffffep31f, 3e9f, 7.5f, 0x1.fffffp30f, 0.5f};
        Arrays.setAll(b, i -> Float.floatToRawIntBits(wide[i % 8]));
        run(21, code -> code.vector(Evex.VCVTTPS2UDQ, 21, 0, Operand.register(B)));
        assertThat(result).isEqualTo(each(i -> (int) (long) wide[i % 8]));
    }
}
