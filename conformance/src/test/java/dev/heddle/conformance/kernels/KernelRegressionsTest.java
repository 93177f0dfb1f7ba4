package dev.heddle.conformance.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.cuda.DriverUnavailableException;
import dev.heddle.cuda.Gpu;
import dev.heddle.cuda.LaunchShape;
import dev.heddle.cuda.Optimization;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What random kernels and single instructions brought to light, each as small as it can be. The
/// manual's results are worked out by hand; an H200 (driver 580.159.04, 2026-11-21) gave those of
/// `plain` without the optimiser of the driver's assembler and those of `optimized` with it.
@DisplayName("kernels on which machines once differed")
final class KernelRegressionsTest {
    enum Case {
        /// The machine made it the canonical NaN.
        TF32_OF_NAN("tf32-of-nan", 0xffff_ffffL, 0, 0xffff_e000L),
        /// The optimiser takes the sum apart and forgets to saturate.
        SATURATED_DIFFERENCE(
                "saturated-difference-of-own-sum",
                0x8000_0010L,
                0x9000_0000L,
                0x8000_0000L,
                0x8000_0000L,
                0x7000_0000L),
        /// The optimiser shifts by 40 modulo 32.
        FIELD_BEYOND_THE_WORD("field-beyond-the-word", 0x7fff_ffffL, 0, 0, 0, 0xffff_ffffL),
        FIELD_LONGER_THAN_THE_WORD(
                "field-longer-than-the-word",
                0xffff_ffffL,
                0,
                0xffff_fff8L,
                0xffff_fff8L,
                0x01ff_fff8L),
        /// The optimiser makes it a move.
        MINIMUM_OF_ITSELF(
                "minimum-of-itself", 0xffc0_0001L, 0, 0x7fff_ffffL, 0x7fff_ffffL, 0xffc0_0001L),
        /// The assembler guards only the comparison, not the conversion that follows it.
        GUARDED_SET(
                "guarded-set",
                0x3f80_0000L,
                0x4000_0000L,
                0x1234_5678L,
                0x4d91_a2b4L,
                0x4d91_a2b4L),
        /// The assembler guards only the first of two instructions.
        GUARDED_TESTP("guarded-testp", 0x3f80_0000L, 0x4000_0000L, 1, 0, 0),
        /// Of 64 bits, the assembler takes the whole words.
        POSITION_BEYOND_A_BYTE(
                "position-beyond-a-byte",
                0x404d_3fec_8829_95d8L,
                0x0000_9c14_43f0_0000L,
                0x9_95d8L,
                0,
                0),
        /// Where rounding is directed, the assembler makes nothing of `.ftz`.
        HALF_ABOVE_A_FLUSHED_WORD("half-above-a-flushed-word", 1, 0, 0, 1, 1);

        final String file;
        final long a;
        final long b;
        final long manual;
        final long plain;
        final long optimized;

        Case(String file, long a, long b, long manual) {
            this(file, a, b, manual, manual, manual);
        }

        Case(String file, long a, long b, long manual, long plain, long optimized) {
            this.file = file;
            this.a = a;
            this.b = b;
            this.manual = manual;
            this.plain = plain;
            this.optimized = optimized;
        }

        String ptx() throws IOException {
            try (InputStream text =
                    KernelRegressionsTest.class.getResourceAsStream("/kernels/" + file + ".ptx")) {
                return new String(text.readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theMachinesDoWhatTheManualSays(Case example) throws IOException {
        Kernel kernel = Kernel.of(example.ptx(), example.file + ".ptx", "kernel");
        Launch launch =
                Launch.of(
                        new Extent(1, 1, 1),
                        new Extent(1, 1, 1),
                        Argument.zeros("out", Long.BYTES),
                        Argument.s64(example.a),
                        Argument.s64(example.b));
        for (Machine machine :
                List.of(
                        Machine.interpreter(Generation.SM_90),
                        Machine.compiler(Generation.SM_90),
                        Machine.compiler(new Compilations(0), Generation.SM_90))) {
            assertThat(hex(machine.run(kernel, launch).buffer("out")))
                    .isEqualTo(hex(example.manual));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theGpuDoesWhatWasRecorded(Case example) throws IOException {
        try (Gpu gpu = open()) {
            assertThat(launch(gpu, example, Optimization.NONE)).isEqualTo(hex(example.plain));
            assertThat(launch(gpu, example, Optimization.FULL)).isEqualTo(hex(example.optimized));
        }
    }

    private static Gpu open() {
        try {
            return Gpu.open();
        } catch (DriverUnavailableException e) {
            return Assumptions.abort("no GPU: " + e.getMessage());
        }
    }

    private static String launch(Gpu gpu, Case example, Optimization optimization)
            throws IOException {
        byte[] out = new byte[Long.BYTES];
        gpu.launch(
                example.ptx(),
                "kernel",
                LaunchShape.linear(1, 1),
                List.of(
                        new Gpu.Argument.Buffer(out),
                        new Gpu.Argument.Value(bytes(example.a)),
                        new Gpu.Argument.Value(bytes(example.b))),
                optimization);
        return hex(out);
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
    }

    private static String hex(byte[] bytes) {
        return hex(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong());
    }

    private static String hex(long value) {
        return "0x%016x".formatted(value);
    }
}
