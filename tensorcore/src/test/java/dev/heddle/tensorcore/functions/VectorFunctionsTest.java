package dev.heddle.tensorcore.functions;

import static org.assertj.core.api.Assertions.assertThat;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Vectors against single values, which other tests compare with the device. All 2^32 inputs of
/// each form are a campaign (docs/functions.md).
@DisplayName("The approximate functions on vectors are those on single values")
final class VectorFunctionsTest {
    private static final long SEED = 20_261_123;

    private record Twin(IntUnaryOperator one, UnaryOperator<IntVector> many) {}

    private static final Map<String, Twin> TWINS =
            new TreeMap<>(
                    Map.of(
                            "rcp", new Twin(Mufu::rcp, VectorMufu::rcp),
                            "rsq", new Twin(Mufu::rsq, VectorMufu::rsq),
                            "sqrt", new Twin(Mufu::sqrt, VectorMufu::sqrt),
                            "ex2", new Twin(Mufu::ex2, VectorMufu::ex2),
                            "lg2", new Twin(Mufu::lg2, VectorMufu::lg2),
                            "sin", new Twin(Mufu::sin, VectorMufu::sin),
                            "cos", new Twin(Mufu::cos, VectorMufu::cos),
                            "tanh", new Twin(Mufu::tanh, VectorMufu::tanh)));

    /// Each sign and exponent with the ends of each 32nd of the fraction, and random words.
    private static int[] inputs() {
        SplittableRandom random = new SplittableRandom(SEED);
        int[] inputs = new int[(512 * 32 * 3 + 100_000) / 16 * 16];
        int at = 0;
        for (int block = 0; block < 512 * 32; block++) {
            inputs[at++] = block << 18;
            inputs[at++] = block << 18 | 0x3ffff;
            inputs[at++] = block << 18 | random.nextInt(1 << 18);
        }
        while (at < inputs.length) {
            inputs[at++] = random.nextInt();
        }
        return inputs;
    }

    @TestFactory
    Stream<DynamicTest> cores() {
        int[] inputs = inputs();
        return TWINS.entrySet().stream()
                .map(
                        twin ->
                                DynamicTest.dynamicTest(
                                        twin.getKey(), () -> compare(inputs, twin.getValue())));
    }

    private record Expanded(UnaryOperator<Float> one, Function<FloatVector, IntVector> many) {}

    private static final Map<String, Expanded> EXPANDED =
            new TreeMap<>(
                    Map.of(
                            "ex2.approx.f32",
                            new Expanded(
                                    Approximate::ex2ApproxF32, VectorApproximate::ex2ApproxF32),
                            "lg2.approx.f32",
                            new Expanded(
                                    Approximate::lg2ApproxF32, VectorApproximate::lg2ApproxF32),
                            "rcp.approx.f32",
                            new Expanded(
                                    Approximate::rcpApproxF32, VectorApproximate::rcpApproxF32),
                            "rsqrt.approx.f32",
                            new Expanded(
                                    Approximate::rsqrtApproxF32, VectorApproximate::rsqrtApproxF32),
                            "sqrt.approx.f32",
                            new Expanded(
                                    Approximate::sqrtApproxF32, VectorApproximate::sqrtApproxF32),
                            "sin.approx.f32",
                            new Expanded(
                                    Approximate::sinApproxF32, VectorApproximate::sinApproxF32),
                            "cos.approx.f32",
                            new Expanded(
                                    Approximate::cosApproxF32, VectorApproximate::cosApproxF32)));

    @TestFactory
    Stream<DynamicTest> forms() {
        int[] inputs = inputs();
        return EXPANDED.entrySet().stream()
                .map(
                        form ->
                                DynamicTest.dynamicTest(
                                        form.getKey(),
                                        () ->
                                                compare(
                                                        inputs,
                                                        new Twin(
                                                                a -> bits(form.getValue().one, a),
                                                                a ->
                                                                        form.getValue()
                                                                                .many
                                                                                .apply(
                                                                                        a
                                                                                                .reinterpretAsFloats())))));
    }

    private static int bits(UnaryOperator<Float> function, int a) {
        return Float.floatToRawIntBits(function.apply(Float.intBitsToFloat(a)));
    }

    private record Division(
            BinaryOperator<Float> one, BiFunction<FloatVector, FloatVector, IntVector> many) {}

    private static final Map<String, Division> DIVISIONS =
            new TreeMap<>(
                    Map.of(
                            "div.approx.f32",
                            new Division(
                                    Approximate::divApproxF32, VectorApproximate::divApproxF32),
                            "div.approx.ftz.f32",
                            new Division(
                                    Approximate::divApproxFtzF32,
                                    VectorApproximate::divApproxFtzF32),
                            "div.full.f32",
                            new Division(Approximate::divFullF32, VectorApproximate::divFullF32),
                            "div.full.ftz.f32",
                            new Division(
                                    Approximate::divFullFtzF32, VectorApproximate::divFullFtzF32)));

    /// Special values against each other, and random words, a third of them with close exponents.
    @TestFactory
    Stream<DynamicTest> divisions() {
        return DIVISIONS.entrySet().stream()
                .map(form -> DynamicTest.dynamicTest(form.getKey(), () -> divide(form.getValue())));
    }

    private static void divide(Division division) {
        SplittableRandom random = new SplittableRandom(SEED + 1);
        int lanes = VectorMufu.WORDS.length();
        int[] a = new int[lanes];
        int[] b = new int[lanes];
        int[] results = new int[lanes];
        for (int round = 0; round < 8_000; round++) {
            for (int i = 0; i < lanes; i++) {
                a[i] = word(random, round);
                b[i] = word(random, round);
                if (round % 3 == 2) {
                    // Quotients near 2^-126.
                    a[i] = a[i] & 0x807f_ffff | 2 << 23;
                    b[i] = b[i] & 0x807f_ffff | random.nextInt(126, 131) << 23;
                }
            }
            division.many
                    .apply(
                            IntVector.fromArray(VectorMufu.WORDS, a, 0).reinterpretAsFloats(),
                            IntVector.fromArray(VectorMufu.WORDS, b, 0).reinterpretAsFloats())
                    .intoArray(results, 0);
            for (int i = 0; i < lanes; i++) {
                int expected =
                        Float.floatToRawIntBits(
                                division.one.apply(
                                        Float.intBitsToFloat(a[i]), Float.intBitsToFloat(b[i])));
                if (results[i] != expected) {
                    assertThat("%08x".formatted(results[i]))
                            .as("seed %d: %08x by %08x", SEED, a[i], b[i])
                            .isEqualTo("%08x".formatted(expected));
                }
            }
        }
    }

    private static int word(SplittableRandom random, int round) {
        return round % 3 == 0
                ? random.nextInt(512) << 23 | (random.nextBoolean() ? 0 : 0x7f_ffff)
                : random.nextInt();
    }

    private static void compare(int[] inputs, Twin twin) {
        int[] results = new int[VectorMufu.WORDS.length()];
        for (int at = 0; at < inputs.length; at += results.length) {
            twin.many
                    .apply(IntVector.fromArray(VectorMufu.WORDS, inputs, at))
                    .intoArray(results, 0);
            for (int i = 0; i < results.length; i++) {
                int expected = twin.one.applyAsInt(inputs[at + i]);
                if (results[i] != expected) {
                    assertThat("%08x of %08x".formatted(results[i], inputs[at + i]))
                            .as("seed %d", SEED)
                            .isEqualTo("%08x of %08x".formatted(expected, inputs[at + i]));
                }
            }
        }
    }
}
