package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Machine code of approximate functions beside the interpreter, bit by bit: Java has no part in
/// it.
@DisplayName("Machine code of approximate functions computes what the interpreter computes")
final class ApproximateMachineCodeTest {
    /// Zeros, ones, the ends of subnormal, normal and finite numbers and of what the functions
    /// treat apart; NaNs.
    private static final int[] CORNERS = {
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x007f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7e80_0000,
        0x7e80_0001,
        0xfe80_0001,
        0x7f7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7f80_0001,
        0xffff_ffff,
        0xc2fc_0000,
        0xc2fc_0001,
        0xc316_0000,
        0x42ff_ffff,
        0x4300_0000,
        0xc300_0000,
        0x40ff_ffff,
        0x4100_0000
    };

    /// Corners, any numbers, and many about one, in whose upper halves are halves of both kinds.
    private static byte[] inputs(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putInt(
                    switch (random.nextInt(4)) {
                        case 0 -> CORNERS[random.nextInt(CORNERS.length)];
                        case 1 -> random.nextInt();
                        default ->
                                random.nextInt(2) << 31
                                        | random.nextInt(100, 140) << 23
                                        | random.nextInt(1 << 23);
                    });
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ex2.approx.f32 %f9, %f2",
                "ex2.approx.ftz.f32 %f9, %f2",
                "ex2.approx.ftz.f32 %f9, %f9",
                "tanh.approx.f32 %f9, %f2",
                "rcp.approx.f32 %f9, %f2",
                "rcp.approx.ftz.f32 %f9, %f2",
                "rsqrt.approx.f32 %f9, %f2",
                "rsqrt.approx.ftz.f32 %f9, %f2",
                "div.approx.f32 %f9, %f2, %f3",
                "div.full.f32 %f9, %f2, %f3",
                "div.full.f32 %f9, %f9, %f2",
                "div.full.f32 %f9, 0f3f800000, %f2",
                "sqrt.approx.f32 %f9, %f2",
                "sqrt.approx.ftz.f32 %f9, %f2",
                "lg2.approx.f32 %f9, %f2",
                "lg2.approx.ftz.f32 %f9, %f9",
                "sin.approx.f32 %f9, %f2",
                "sin.approx.ftz.f32 %f9, %f9",
                "cos.approx.f32 %f9, %f2",
                "cos.approx.ftz.f32 %f9, %f2",
                "div.approx.ftz.f32 %f9, %f2, %f3",
                "div.full.ftz.f32 %f9, %f2, %f3",
                "ex2.approx.f16x2 %r9, %r2",
                "ex2.approx.ftz.bf16x2 %r9, %r2",
                "tanh.approx.f16x2 %r9, %r2",
                "tanh.approx.bf16x2 %r9, %r2"
            })
    @DisplayName("with and without a guard")
    void function(String text) {
        for (String guard : new String[] {"", "@%p1 "}) {
            MachineCodeTest.agree(guard + text + ";", true, ApproximateMachineCodeTest::inputs);
        }
    }

    /// Numbers whose products and quotients are about 2^-126, and such as are there themselves.
    private static byte[] tiny(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            int sign = random.nextInt(2) << 31;
            int fraction =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(4);
                        case 1 -> 0x7f_ffff - random.nextInt(4);
                        default -> random.nextInt(1 << 23);
                    };
            int exponent =
                    switch (random.nextInt(5)) {
                        case 0 -> random.nextInt(4);
                        case 1 -> random.nextInt(124, 130);
                        case 2 -> random.nextInt(256);
                        default -> random.nextInt(62, 66);
                    };
            bytes.putInt(sign | exponent << 23 | fraction);
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mul.ftz.f32 %f9, %f2, %f3",
                "mul.ftz.f32 %f9, %f9, %f2",
                "mul.rn.ftz.sat.f32 %f9, %f2, %f3",
                "fma.rn.ftz.f32 %f9, %f2, %f3, %f4",
                "fma.rn.ftz.f32 %f9, %f2, %f9, %f3",
                "mul.f32 %f9, %f2, %f3; fma.rn.ftz.f32 %f9, %f2, %f3, %f9",
                "mul.f32 %f9, %f2, %f3; neg.f32 %f9, %f9; fma.rn.ftz.f32 %f9, %f2, %f3, %f9",
                "fma.rn.ftz.sat.f32 %f9, %f2, %f3, %f4",
                "div.rn.ftz.f32 %f9, %f2, %f3",
                "rcp.rn.ftz.f32 %f9, %f2",
                "add.ftz.f32 %f9, %f2, %f3",
                "div.approx.ftz.f32 %f9, %f2, %f3",
                "div.full.ftz.f32 %f9, %f2, %f3"
            })
    @DisplayName("and what is flushed at the least normal number")
    void flushed(String text) {
        for (String guard : new String[] {"", "@%p1 "}) {
            MachineCodeTest.agree(guard + text + ";", true, ApproximateMachineCodeTest::tiny);
        }
    }
}
