package dev.heddle.tensorcore.functions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.zip.GZIPInputStream;

/// Every result that an H100 and an H200 gave, byte for byte the same on both: 425,628 of them.
@DisplayName("PTX ISA 9.7.3 and 9.7.4: the approximate functions have the bits of an H100")
final class DeviceVectorsTest {
    private interface Unary {
        float of(float a);
    }

    private interface Binary {
        float of(float a, float b);
    }

    private static ByteBuffer vectors(String name) throws IOException {
        try (InputStream in =
                new GZIPInputStream(
                        Objects.requireNonNull(
                                DeviceVectorsTest.class.getResourceAsStream(name + ".bin.gz")))) {
            return ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static void f32(String name, Unary function) throws IOException {
        ByteBuffer vectors = vectors(name);
        assertThat(vectors.remaining()).isEqualTo(5236 * 8);
        while (vectors.hasRemaining()) {
            int a = vectors.getInt();
            int expected = vectors.getInt();
            int got = Float.floatToRawIntBits(function.of(Float.intBitsToFloat(a)));
            assertThat(got)
                    .as("%s of %08x: %08x, not %08x", name, a, got, expected)
                    .isEqualTo(expected);
        }
    }

    private static void divisions(String name, Binary function) throws IOException {
        ByteBuffer vectors = vectors(name);
        assertThat(vectors.remaining()).isEqualTo((116 * 116 + 4096) * 12);
        while (vectors.hasRemaining()) {
            int a = vectors.getInt();
            int b = vectors.getInt();
            int expected = vectors.getInt();
            int got =
                    Float.floatToRawIntBits(
                            function.of(Float.intBitsToFloat(a), Float.intBitsToFloat(b)));
            assertThat(got)
                    .as("%s of %08x and %08x: %08x, not %08x", name, a, b, got, expected)
                    .isEqualTo(expected);
        }
    }

    private static void halves(String name, IntUnaryOperator function) throws IOException {
        ByteBuffer vectors = vectors(name);
        assertThat(vectors.remaining()).isEqualTo(65536 * 2);
        for (int a = 0; a < 65536; a++) {
            int expected = vectors.getShort() & 0xffff;
            int got = function.applyAsInt(a);
            assertThat(got)
                    .as("%s of %04x: %04x, not %04x", name, a, got, expected)
                    .isEqualTo(expected);
        }
    }

    private static void f64(String name, DoubleUnaryOperator function) throws IOException {
        ByteBuffer vectors = vectors(name);
        assertThat(vectors.remaining()).isPositive();
        while (vectors.hasRemaining()) {
            long a = vectors.getLong();
            long expected = vectors.getLong();
            long got =
                    Double.doubleToRawLongBits(function.applyAsDouble(Double.longBitsToDouble(a)));
            assertThat(got)
                    .as("%s of %016x: %016x, not %016x", name, a, got, expected)
                    .isEqualTo(expected);
        }
    }

    @Test
    void exponential() throws IOException {
        f32("ex2_f32", Approximate::ex2ApproxF32);
        f32("ex2_ftz_f32", Approximate::ex2ApproxFtzF32);
        halves("ex2_f16", Mufu::ex2F16);
        halves("ex2_ftz_bf16", Mufu::ex2Bf16);
    }

    @Test
    void logarithm() throws IOException {
        f32("lg2_f32", Approximate::lg2ApproxF32);
        f32("lg2_ftz_f32", Approximate::lg2ApproxFtzF32);
    }

    @Test
    void reciprocal() throws IOException {
        f32("rcp_f32", Approximate::rcpApproxF32);
        f32("rcp_ftz_f32", Approximate::rcpApproxFtzF32);
        f64("rcp_ftz_f64", Approximate::rcpApproxFtzF64);
    }

    @Test
    void reciprocalRoot() throws IOException {
        f32("rsqrt_f32", Approximate::rsqrtApproxF32);
        f32("rsqrt_ftz_f32", Approximate::rsqrtApproxFtzF32);
        f64("rsqrt_f64", Approximate::rsqrtApproxF64);
        f64("rsqrt_ftz_f64", Approximate::rsqrtApproxFtzF64);
    }

    @Test
    void squareRoot() throws IOException {
        f32("sqrt_f32", Approximate::sqrtApproxF32);
        f32("sqrt_ftz_f32", Approximate::sqrtApproxFtzF32);
    }

    @Test
    void sineAndCosine() throws IOException {
        f32("sin_f32", Approximate::sinApproxF32);
        f32("sin_ftz_f32", Approximate::sinApproxF32);
        f32("cos_f32", Approximate::cosApproxF32);
        f32("cos_ftz_f32", Approximate::cosApproxF32);
    }

    @Test
    void hyperbolicTangent() throws IOException {
        f32("tanh_f32", Approximate::tanhApproxF32);
        halves("tanh_f16", Mufu::tanhF16);
        halves("tanh_bf16", Mufu::tanhBf16);
    }

    @Test
    void division() throws IOException {
        divisions("div_approx_f32", Approximate::divApproxF32);
        divisions("div_approx_ftz_f32", Approximate::divApproxFtzF32);
        divisions("div_full_f32", Approximate::divFullF32);
        divisions("div_full_ftz_f32", Approximate::divFullFtzF32);
    }

    /// The words of the description of the squarer.
    @Test
    void theSquarerCutsEachPartialProduct() {
        for (int x = 0; x < 1 << 17; x++) {
            int sum = 0;
            for (int i = 1; i <= 16; i++) {
                if ((x >> i & 1) != 0) {
                    sum += x >> 18 - i;
                }
            }
            assertThat(Interpolator.square(x)).isEqualTo(sum >> 1);
        }
    }
}
