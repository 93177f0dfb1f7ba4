package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Machine code of integers and their bits beside the interpreter: Java has no part in it.
@DisplayName("Machine code of fields, narrow and wide integers computes what the interpreter does")
final class IntegerMachineCodeTest {
    /// Longs of all lengths, and words that are places in a word or a long, or just beyond.
    private static byte[] inputs(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes =
                ByteBuffer.allocate(24 * MachineCodeKernel.THREADS).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            bytes.putLong(
                    switch (random.nextInt(6)) {
                        case 0 -> random.nextLong(-2, 3);
                        case 1 -> random.nextLong() >> random.nextInt(64);
                        case 2 -> Long.MIN_VALUE >> random.nextInt(2) * 32;
                        case 3 -> random.nextLong() << random.nextInt(64);
                        default -> random.nextInt(70) * 0x1_0000_0001L + (random.nextInt(3) << 8);
                    });
        }
        return bytes.array();
    }

    private static void agree(String text) {
        for (String guard : new String[] {"", "@%p1 ", "@!%p1 "}) {
            int last = text.lastIndexOf(';') + 1;
            String guarded = text.substring(0, last) + guard + text.substring(last).trim() + ";";
            MachineCodeTest.agree(guarded, true, IntegerMachineCodeTest::inputs);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bfe.u32 %r9, %r2, %r3, %r4",
                "bfe.s32 %r9, %r2, %r3, %r4",
                "bfe.s32 %r9, %r9, 20, %r4",
                "bfe.s32 %r9, %r2, 20, 20",
                "bfe.u32 %r9, %r2, 7, 0",
                "bfe.u64 %rd9, %rd6, %r3, %r4",
                "bfe.s64 %rd9, %rd6, %r3, %r4",
                "bfe.s64 %rd9, %rd9, 33, 9",
                "bfe.u64 %rd9, %rd6, 60, 9",
                "bfi.b32 %r9, %r2, %r3, %r4, %r9",
                "bfi.b32 %r9, %r2, %r3, %r4, 9",
                "bfi.b64 %rd9, %rd6, %rd7, %r3, %r4",
                "bfi.b64 %rd9, %rd6, %rd9, 30, 20",
                "szext.clamp.s32 %r9, %r2, %r3",
                "szext.clamp.u32 %r9, %r2, %r3",
                "szext.wrap.s32 %r9, %r9, %r3",
                "szext.wrap.u32 %r9, %r2, 7",
                "bmsk.clamp.b32 %r9, %r2, %r3",
                "bmsk.wrap.b32 %r9, %r2, %r3",
                "brev.b64 %rd9, %rd6",
                "shf.l.clamp.b32 %r9, %r2, %r3, %r4",
                "shf.r.clamp.b32 %r9, %r2, %r3, %r4",
                "shf.r.clamp.b32 %r9, %r9, %r3, 32",
                "prmt.b32.f4e %r9, %r2, %r3, %r4",
                "prmt.b32.b4e %r9, %r2, %r3, %r4",
                "prmt.b32.rc8 %r9, %r2, %r3, %r4",
                "prmt.b32.ecl %r9, %r2, %r3, %r4",
                "prmt.b32.ecr %r9, %r9, %r3, %r4",
                "prmt.b32.rc16 %r9, %r2, %r3, %r4",
                "cnot.b32 %r9, %r2",
                "cnot.b64 %rd9, %rd6",
                "cvt.u16.u32 %h1, %r2; cnot.b16 %h2, %h1; cvt.u32.u16 %r9, %h2"
            })
    @DisplayName("bits")
    void bits(String text) {
        agree(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.sat.s32 %r9, %r2, %r3",
                "sub.sat.s32 %r9, %r2, %r3",
                "sub.sat.s32 %r9, %r9, 0x80000000",
                "mul24.lo.s32 %r9, %r2, %r3",
                "mul24.lo.u32 %r9, %r2, %r3",
                "mul24.hi.s32 %r9, %r2, %r3",
                "mul24.hi.u32 %r9, %r9, %r3",
                "mul.hi.s64 %rd9, %rd6, %rd7",
                "mul.hi.s64 %rd9, %rd9, -5",
                "mad.hi.s64 %rd9, %rd6, %rd7, %rd9",
                "cvt.u16.u32 %h1, %r2; cvt.u16.u32 %h2, %r3; mul.hi.s16 %h1, %h1, %h2;"
                        + " cvt.u32.u16 %r9, %h1",
                "cvt.u16.u32 %h1, %r2; cvt.u16.u32 %h2, %r3; mul.hi.u16 %h1, %h1, %h2;"
                        + " cvt.u32.u16 %r9, %h1",
                "cvt.u16.u32 %h1, %r2; cvt.u16.u32 %h2, %r3; sad.s16 %h1, %h1, %h2, %h2;"
                        + " cvt.u32.u16 %r9, %h1",
                "cvt.u16.u32 %h1, %r2; cvt.u16.u32 %h2, %r3; sad.u16 %h1, %h1, %h2, %h2;"
                        + " cvt.u32.u16 %r9, %h1",
                "mul.wide.s32 %rd9, 7, %r2",
                "div.s32 %r9, 1000, %r2",
                "rem.u32 %r9, %r2, 10"
            })
    @DisplayName("sums, products and quotients")
    void numbers(String text) {
        agree(text);
    }

    @ParameterizedTest
    @CsvSource({"s32, s32", "s32, u32", "u32, s32", "u32, u32"})
    @DisplayName("products of two numbers and bytes")
    void products(String a, String b) {
        for (String half : new String[] {"lo", "hi"}) {
            agree("dp2a.%s.%s.%s %%r9, %%r2, %%r3, %%r4".formatted(half, a, b));
        }
    }
}
