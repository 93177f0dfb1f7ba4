package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Machine code of `f16` and `bf16` beside the interpreter, bit by bit: Java has no part in it.
@DisplayName("Machine code of f16 and bf16 computes what the interpreter computes")
final class HalfMachineCodeTest {
    private static final String HALVES =
            """
            mov.b32 {%h2, %h5}, %r2;
            mov.b32 {%h3, %h6}, %r3;
            mov.b32 {%h4, %h7}, %r4;
            mov.b16 %h1, 0x3c01;
            """;

    /// Of both formats: zeros, ones, the ends of subnormal, normal and finite numbers, NaNs.
    private static final int[] CORNERS = {
        0, 0x8000, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x401, 0x8400, 0x7f, 0x80, 0x8081, 0x3c00,
        0xbc00, 0x3bff, 0x3c01, 0x3f80, 0xbf80, 0x3f7f, 0x3f81, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
        0x7c01, 0x7e01, 0xfe00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7f81, 0x7fff, 0xffff, 0x7ff7,
        0xfff7
    };

    /// Pairs of halves: corners, any, and such as are near to each other and to one.
    private static byte[] inputs(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putShort(
                    (short)
                            switch (random.nextInt(3)) {
                                case 0 -> CORNERS[random.nextInt(CORNERS.length)];
                                case 1 -> 0x3c00 + random.nextInt(-0x500, 0x500);
                                default -> random.nextInt(1 << 16);
                            });
        }
        return bytes.array();
    }

    private static void agree(String instruction) {
        for (String text :
                new String[] {
                    instruction + ";",
                    "@%p1 " + instruction + ";",
                    instruction + ";\n@!%p1 " + instruction + ";"
                }) {
            MachineCodeTest.agree(
                    HALVES + text + "\nmov.b32 %r10, {%h1, %h2}; xor.b32 %r9, %r9, %r10;",
                    true,
                    HalfMachineCodeTest::inputs);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "add, f16; ftz.f16; sat.f16; ftz.sat.f16; bf16",
        "sub, f16; ftz.f16; sat.f16; ftz.sat.f16; bf16",
        "mul, f16; ftz.f16; sat.f16; ftz.sat.f16; bf16",
        "min, f16; ftz.f16; NaN.f16; xorsign.abs.f16; ftz.NaN.xorsign.abs.f16; bf16; NaN.bf16;"
                + " NaN.xorsign.abs.bf16",
        "max, f16; ftz.f16; NaN.f16; xorsign.abs.f16; ftz.NaN.xorsign.abs.f16; bf16; NaN.bf16;"
                + " NaN.xorsign.abs.bf16",
        "abs, f16; ftz.f16; bf16",
        "neg, f16; ftz.f16; bf16",
        "fma.rn, f16; ftz.f16; sat.f16; relu.f16; ftz.relu.f16; oob.f16; bf16; relu.bf16; oob.bf16"
    })
    @DisplayName("arithmetic, single numbers and pairs")
    void arithmetic(String name, String qualifiers) {
        int operands = name.equals("fma.rn") ? 3 : name.equals("abs") || name.equals("neg") ? 1 : 2;
        String single = ", %h2, %h3, %h4".substring(0, 5 * operands);
        String pairs = ", %r2, %r3, %r4".substring(0, 5 * operands);
        for (String each : qualifiers.split("; ")) {
            agree(name + "." + each + " %h1" + single);
            agree(name + "." + each + "x2 %r9" + pairs);
        }
        agree(name + ".bf16 %h3" + single);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cvt.f32.f16 %f9, %h2",
                "cvt.f32.bf16 %f9, %h2",
                "cvt.rn.f16.f32 %h1, %f2",
                "cvt.rz.f16.f32 %h1, %f2",
                "cvt.rm.f16.f32 %h1, %f2",
                "cvt.rp.f16.f32 %h1, %f2",
                "cvt.rn.ftz.f16.f32 %h1, %f2",
                "cvt.rn.relu.f16.f32 %h1, %f2",
                "cvt.rn.satfinite.f16.f32 %h1, %f2",
                "cvt.rn.bf16.f32 %h1, %f2",
                "cvt.rz.bf16.f32 %h1, %f2",
                "cvt.rn.relu.bf16.f32 %h1, %f2",
                "cvt.rn.satfinite.bf16.f32 %h1, %f2",
                "cvt.rn.f16x2.f32 %r9, %f2, %f3",
                "cvt.rz.f16x2.f32 %r9, %f2, %f3",
                "cvt.rn.relu.f16x2.f32 %r9, %f2, %f3",
                "cvt.rn.bf16x2.f32 %r9, %f2, %f3",
                "cvt.rz.relu.bf16x2.f32 %r9, %f2, %f3",
                "cvt.rn.bf16.f16 %h1, %h2",
                "cvt.rn.f16.bf16 %h1, %h2",
                "cvt.rni.f16.f16 %h1, %h2",
                "cvt.rzi.sat.f16.f16 %h1, %h2",
                "cvt.rzi.s32.f16 %r9, %h2",
                "cvt.rni.u32.f16 %r9, %h2",
                "cvt.rzi.s32.bf16 %r9, %h2",
                "cvt.rzi.s16.f16 %h1, %h2",
                "cvt.rni.u16.f16 %h1, %h2",
                "cvt.rmi.s16.bf16 %h1, %h2",
                "cvt.rpi.u8.f16 %r9, %h2",
                "cvt.rzi.s16.f32 %h1, %f2",
                "cvt.rzi.u8.f32 %r9, %f2",
                "cvt.f64.f16 %d9, %h2",
                "cvt.f64.bf16 %d9, %h2",
                "cvt.rn.f16.s32 %h1, %r2",
                "cvt.rz.f16.u32 %h1, %r2",
                "cvt.rn.bf16.s32 %h1, %r2",
                "cvt.rz.bf16.s32 %h1, %r2",
                "cvt.rn.bf16.u32 %h1, %r2",
                "cvt.rn.bf16.s16 %h1, %h2",
                "cvt.rn.f16.u16 %h1, %h2",
                "shr.s32 %r5, %r2, 14; cvt.rp.f16.s32 %h1, %r5",
                "shr.u32 %r5, %r2, 13; cvt.rm.f16.u32 %h1, %r5",
                "add.f32.f16 %f9, %h2, %f3",
                "sub.f32.bf16 %f9, %h2, %f3",
                "fma.rn.f32.f16 %f9, %h2, %h3, %f4",
                "fma.rn.sat.f32.bf16 %f9, %h2, %h3, %f4",
                "min.NaN.f32 %f9, %f2, %f3",
                "max.NaN.f32 %f9, %f2, %f3",
                "min.NaN.f32 %f9, %f2, %f3, %f4"
            })
    @DisplayName("conversions, and sums of two formats")
    void conversions(String text) {
        agree(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "setp.lt.f16 %p2, %h2, %h3",
                "setp.geu.ftz.f16 %p2, %h2, %h3",
                "setp.nan.bf16 %p2, %h2, %h3",
                "setp.ne.f16x2 %p2|%p3, %r2, %r3",
                "setp.gtu.and.bf16x2 %p3|%p2, %r2, %r3, %p1",
                "set.lt.f16.f16 %h1, %h2, %h3",
                "set.equ.ftz.u32.f16 %r9, %h2, %h3",
                "set.le.bf16.bf16 %h1, %h2, %h3",
                "set.ge.f16x2.f16x2 %r9, %r2, %r3",
                "set.num.bf16x2.bf16x2 %r9, %r2, %r3",
                "set.gt.f32.s32 %f9, %r2, %r3"
            })
    @DisplayName("comparisons")
    void comparisons(String text) {
        agree(text);
    }

    /// Floats about the numbers of formats of eight bits and fewer: all fractions of up to five
    /// bits, and what is next to them.
    private static byte[] narrow(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            int next = random.nextInt(3) == 0 ? random.nextInt(-1, 2) : 0;
            bytes.putInt(
                    random.nextInt(12) == 0
                            ? random.nextInt()
                            : random.nextInt(2) << 31
                                    | (random.nextInt(104, 148) << 23)
                                            + (random.nextInt(32) << 18)
                                            + next);
        }
        return bytes.array();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3",
                "cvt.rn.satfinite.e5m2x2.f32 %h1, %f2, %f3",
                "cvt.rn.satfinite.relu.e4m3x2.f32 %h1, %f2, %f3",
                "cvt.rn.satfinite.e4m3x2.f16x2 %h1, %r2",
                "cvt.rn.satfinite.relu.e5m2x2.f16x2 %h1, %r2",
                "cvt.rn.f16x2.e4m3x2 %r9, %h2",
                "cvt.rn.f16x2.e5m2x2 %r9, %h2",
                "cvt.rn.relu.f16x2.e4m3x2 %r9, %h2",
                "cvt.rn.relu.f16x2.e5m2x2 %r9, %h2",
                "cvt.rna.tf32.f32 %r9, %f2",
                "cvt.rn.tf32.f32 %r9, %f2",
                "cvt.rz.tf32.f32 %r9, %f2",
                "cvt.rna.satfinite.tf32.f32 %r9, %f2",
                "cvt.rn.satfinite.tf32.f32 %r9, %f2",
                "cvt.rn.relu.tf32.f32 %r9, %f2",
                "cvt.rz.relu.tf32.f32 %r9, %f2"
            })
    @DisplayName("conversions to and from formats of eight bits, and to tf32")
    void narrow(String text) {
        agree(text);
        for (String guard : new String[] {"", "@!%p1 "}) {
            MachineCodeTest.agree(
                    HALVES + guard + text + ";\ncvt.u32.u16 %r10, %h1; xor.b32 %r9, %r9, %r10;",
                    true,
                    HalfMachineCodeTest::narrow);
        }
    }
}
