package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Machine code of `f64` and of conversions from and to 64 bits beside the interpreter, bit by bit:
/// Java has no part in it.
@DisplayName("Machine code of 64 bits computes what the interpreter computes")
final class DoubleMachineCodeTest {
    private static final double[] CORNERS = {
        0.0,
        -0.0,
        0.5,
        1.5,
        -2.5,
        0x1p31,
        0x1p31 - 0.5,
        -0x1p31 - 1,
        0x1p32,
        0x1p32 - 0.25,
        0x1p52 + 0.5,
        0x1p53,
        0x1p63,
        -0x1p63,
        0x1p64,
        0x1p-126,
        0x1p-149,
        0x1.8p-150,
        0x1.ffffffp127,
        0x1.fffffefp127,
        Double.MIN_VALUE,
        Double.MIN_NORMAL,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    /// Doubles: corners, NaNs, and such as integers and floats are; longs of all lengths, with few
    /// bits set and with many.
    static byte[] inputs(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putLong(
                    switch (random.nextInt(7)) {
                        case 0 ->
                                Double.doubleToRawLongBits(CORNERS[random.nextInt(CORNERS.length)]);
                        case 1 -> random.nextLong() | 0x7ff0_0000_0000_0000L;
                        case 2 ->
                                Double.doubleToRawLongBits(
                                        random.nextInt(-1 << 20, 1 << 20) * 0x1p-4);
                        case 3 ->
                                random.nextLong() & 0x800f_ffff_ffff_ffffL
                                        | (long) random.nextInt(860, 1170) << 52;
                        case 4 -> random.nextLong() >> random.nextInt(64);
                        case 5 -> (1L << random.nextInt(64)) + (1L << random.nextInt(64));
                        default -> -(1L << random.nextInt(64)) >>> random.nextInt(12);
                    });
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "min.f64 %d9, %d2, %d3",
                "max.f64 %d9, %d2, %d3",
                "max.f64 %d9, %d9, %d2",
                "abs.f64 %d9, %d2",
                "neg.f64 %d9, %d2",
                "neg.f64 %d9, %d9",
                "copysign.f64 %d9, %d2, %d3",
                "cvt.rni.f64.f64 %d9, %d2",
                "cvt.rzi.f64.f64 %d9, %d2",
                "cvt.rmi.f64.f64 %d9, %d2",
                "cvt.rpi.f64.f64 %d9, %d2",
                "cvt.rn.f32.f64 %f9, %d2",
                "cvt.rn.sat.f32.f64 %f9, %d2",
                "cvt.rzi.s32.f64 %r9, %d2",
                "cvt.rni.s32.f64 %r9, %d2",
                "cvt.rzi.u32.f64 %r9, %d2",
                "cvt.rpi.u32.f64 %r9, %d2",
                "cvt.rn.f64.s64 %d9, %rd6",
                "cvt.rn.f64.u64 %d9, %rd6",
                "cvt.rn.f32.s64 %f9, %rd6",
                "cvt.rn.f32.u64 %f9, %rd6",
                "popc.b64 %r9, %rd6",
                "clz.b64 %r9, %rd6",
                "bfind.u64 %r9, %rd6",
                "bfind.s64 %r9, %rd6",
                "bfind.shiftamt.u64 %r9, %rd6",
                "bfind.shiftamt.s64 %r9, %rd6",
                "bfind.u32 %r9, %r2",
                "bfind.s32 %r9, %r2",
                "bfind.shiftamt.s32 %r9, %r2",
                "mov.b64 %rd10, 0; clz.b64 %r9, %rd10",
                "mov.b64 %rd10, -1; bfind.shiftamt.s64 %r9, %rd10",
                "mov.b32 %r10, -1; bfind.shiftamt.s32 %r9, %r10",
                "sad.s32 %r9, %r2, %r3, %r4",
                "sad.u32 %r9, %r2, %r3, %r9",
                "sad.s64 %rd9, %rd6, %rd7, %rd8",
                "sad.u64 %rd9, %rd6, %rd7, %rd8",
                "dp4a.s32.s32 %r9, %r2, %r3, %r4",
                "dp4a.s32.u32 %r9, %r2, %r3, %r4",
                "dp4a.u32.s32 %r9, %r2, %r9, %r4",
                "dp4a.u32.u32 %r9, %r2, %r3, 7",
                "shr.s64 %rd10, %rd6, 3; cvt.rn.f32.s64 %f9, %rd10",
                "shr.u64 %rd10, %rd6, 9; cvt.rn.f32.u64 %f9, %rd10"
            })
    @DisplayName("with and without a guard")
    void instruction(String text) {
        for (String guard : new String[] {"", "@%p1 ", "@!%p1 "}) {
            int last = text.lastIndexOf(';') + 1;
            String guarded = text.substring(0, last) + guard + text.substring(last).trim() + ";";
            MachineCodeTest.agree(guarded, true, DoubleMachineCodeTest::inputs);
        }
    }
}
