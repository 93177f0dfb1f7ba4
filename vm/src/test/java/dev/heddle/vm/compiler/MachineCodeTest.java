package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Step;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/// Machine code beside the interpreter, bit by bit.
@DisplayName("Machine code computes what the interpreter computes")
final class MachineCodeTest {
    static void agree(String instructions, boolean whole) {
        agree(instructions, whole, MachineCodeKernel::inputs);
    }

    /// Runs instructions on both executors.
    ///
    /// @param whole whether machine code takes all of them
    /// @param inputs by a seed
    static void agree(String instructions, boolean whole, LongFunction<byte[]> inputs) {
        agree(instructions, whole, inputs, MachineCodeKernel.THREADS, 45);
    }

    /// The same by CTAs of so many threads.
    static void agree(
            String instructions, boolean whole, LongFunction<byte[]> inputs, int... sizes) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(MachineCodeKernel.module(instructions), "k.ptx", "k");
        if (whole) {
            assertThat(kernel.program().codes())
                    .allSatisfy(code -> assertThat(unknown(code)).isEmpty());
        }
        for (long seed = 1; seed <= 4; seed++) {
            for (int threads : sizes) {
                Launch launch =
                        Launch.of(
                                        new Extent(1, 1, 1),
                                        new Extent(threads, 1, 1),
                                        Argument.buffer("a", inputs.apply(seed)),
                                        Argument.buffer(
                                                "out", new byte[24 * MachineCodeKernel.THREADS]),
                                        Argument.s32((int) seed))
                                .withChecks(Set.of())
                                .withThreads(1);
                byte[] checked =
                        Machine.compiler(new Compilations(0))
                                .run(kernel, launch.withChecks(Set.of(RuleGroup.WARP)))
                                .buffer("out");
                byte[] expected = Machine.interpreter().run(kernel, launch).buffer("out");
                byte[] found =
                        Machine.compiler(new Compilations(0)).run(kernel, launch).buffer("out");
                assertThat(ByteBuffer.wrap(found).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer())
                        .as("%s, seed %d, %d threads", instructions, seed, threads)
                        .isEqualTo(
                                ByteBuffer.wrap(expected)
                                        .order(ByteOrder.LITTLE_ENDIAN)
                                        .asLongBuffer());
                assertThat(checked).as("with checks: %s", instructions).isEqualTo(found);
            }
        }
    }

    /// Arithmetic that Java takes.
    private static List<String> unknown(Code code) {
        return code.blocks().stream()
                .flatMap(block -> block.steps().stream())
                .filter(step -> step instanceof Step.Compute one && !ArithmeticEmitter.knows(one))
                .map(Object::toString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.s32 %r9, %r2, %r3",
                "add.s32 %r9, %r2, 5",
                "sub.s32 %r9, %r2, %r3",
                "sub.s32 %r9, 5, %r3",
                "mul.lo.s32 %r9, %r2, %r3",
                "mul.hi.s32 %r9, %r2, %r3",
                "mul.hi.u32 %r9, %r2, %r3",
                "mad.lo.s32 %r9, %r2, %r3, %r9",
                "mul.wide.s32 %rd9, %r2, %r3",
                "mul.wide.u32 %rd9, %r2, 12",
                "mul.wide.s32 %rd9, %r2, -12",
                "add.s64 %rd9, %rd6, %rd7",
                "sub.s64 %rd9, %rd6, %rd7",
                "mul.lo.s64 %rd9, %rd6, %rd7",
                "and.b32 %r9, %r2, %r3",
                "or.b32 %r9, %r2, %r3",
                "xor.b32 %r9, %r2, 0xff00ff00",
                "not.b32 %r9, %r2",
                "and.b64 %rd9, %rd6, %rd7",
                "or.b64 %rd9, %rd6, %rd7",
                "xor.b64 %rd9, %rd6, %rd7",
                "not.b64 %rd9, %rd6",
                "neg.s32 %r9, %r2",
                "neg.s64 %rd9, %rd6",
                "abs.s32 %r9, %r2",
                "abs.s64 %rd9, %rd6",
                "min.s32 %r9, %r2, %r3",
                "min.u32 %r9, %r2, %r3",
                "max.s32 %r9, %r2, %r3",
                "max.u32 %r9, %r2, %r3",
                "min.s64 %rd9, %rd6, %rd7",
                "min.u64 %rd9, %rd6, %rd7",
                "max.s64 %rd9, %rd6, %rd7",
                "max.u64 %rd9, %rd6, %rd7",
                "shl.b32 %r9, %r2, 7",
                "shl.b32 %r9, %r2, 40",
                "shl.b32 %r9, %r2, %r3",
                "shr.u32 %r9, %r2, %r3",
                "shr.s32 %r9, %r2, %r3",
                "shr.u32 %r9, %r2, 32",
                "shr.s32 %r9, %r2, 77",
                "shl.b64 %rd9, %rd6, 9",
                "shr.u64 %rd9, %rd6, 33",
                "shr.s64 %rd9, %rd6, 99",
                "shl.b64 %rd9, %rd6, %r3",
                "shr.u64 %rd9, %rd6, %r3",
                "shr.s64 %rd9, %rd9, %r9",
                "mul.hi.u64 %rd9, %rd6, %rd7",
                "mul.hi.u64 %rd9, %rd9, 0xfedcba9876543211",
                "div.u32 %r9, %r2, %r3",
                "div.s32 %r9, %r2, %r3",
                "rem.u32 %r9, %r9, %r3",
                "rem.s32 %r9, %r2, %r9",
                "and.b32 %r5, %r3, 7; sub.s32 %r5, %r5, 3; div.s32 %r9, %r2, %r5",
                "and.b32 %r5, %r3, 7; sub.s32 %r5, %r5, 3; rem.s32 %r9, %r2, %r5",
                "and.b32 %r5, %r3, 7; div.u32 %r9, %r2, %r5",
                "and.b32 %r5, %r3, 7; rem.u32 %r9, %r2, %r5",
                "mov.b32 %r6, 0x80000000; mov.b32 %r5, -1; div.s32 %r9, %r6, %r5",
                "mov.b32 %r6, 0x80000000; mov.b32 %r5, -1; rem.s32 %r9, %r6, %r5",
                "bfi.b32 %r9, %r2, %r3, 8, 5",
                "bfi.b32 %r9, %r9, %r3, 24, 20",
                "bfi.b32 %r9, %r2, %r9, 0, 32",
                "bfi.b32 %r9, %r2, %r3, 40, 3",
                "bfi.b32 %r9, %r2, %r3, 5, 0",
                "shf.l.wrap.b32 %r9, %r2, %r3, 5",
                "shf.r.wrap.b32 %r9, %r2, %r3, %r4",
                "shf.r.wrap.b32 %r9, %r9, %r9, 32",
                "bfind.shiftamt.u32 %r9, %r2",
                "shr.u32 %r5, %r2, %r3; bfind.shiftamt.u32 %r9, %r5",
                "mov.b32 %r5, 0; bfind.shiftamt.u32 %r9, %r5",
                "brev.b32 %r9, %r2",
                "prmt.b32 %r9, %r2, %r3, 0x7531",
                "prmt.b32 %r9, %r9, %r2, 0xfa46",
                "prmt.b32 %r9, %r2, %r3, %r4",
                "bfe.u32 %r9, %r2, 5, 9",
                "bfe.s32 %r9, %r2, 23, 9",
                "bfe.s32 %r9, %r9, 0, 32",
                "cvt.f64.f32 %d9, %f2",
                "cvt.rn.f64.s32 %d9, %r2",
                "cvt.rn.f64.u32 %d9, %r2",
                "cvt.rni.f32.f32 %f9, %f2",
                "cvt.rzi.f32.f32 %f9, %f2",
                "cvt.rmi.f32.f32 %f9, %f2",
                "cvt.rpi.f32.f32 %f9, %f9",
                "cvt.rn.f16.f32 %h1, %f2; cvt.u32.u16 %r9, %h1",
                "cvt.rz.f16.f32 %h1, %f2; cvt.u32.u16 %r9, %h1",
                "mul.rn.f32 %f5, %f2, 0f34000000; cvt.rn.f16.f32 %h1, %f5; cvt.u32.u16 %r9, %h1",
                "cvt.rn.bf16.f32 %h1, %f2; cvt.u32.u16 %r9, %h1",
                "mul.rn.f32 %f5, %f2, 0f00800000; cvt.rn.bf16.f32 %h1, %f5; cvt.u32.u16 %r9, %h1",
                "lop3.b32 %r9, %r2, %r3, %r4, 0xca",
                "lop3.b32 %r9, %r9, %r3, 17, 0x96",
                "clz.b32 %r9, %r2",
                "cvt.u64.u32 %rd9, %r2",
                "cvt.s64.s32 %rd9, %r2",
                "cvt.u32.u64 %r9, %rd6",
                "cvt.u32.u16 %r9, %h1",
                "mov.b64 %rd9, {%r2, %r3}",
                "mov.b64 {%r9, %r5}, %rd6",
                "mov.b64 {%r5, %r9}, %rd6",
                "selp.b32 %r9, %r2, %r3, %p1",
                "selp.b64 %rd9, %rd6, %rd7, %p1",
                "selp.b32 %r9, 5, %r3, %p1",
                "add.rn.f32 %f9, %f2, %f3",
                "sub.rn.f32 %f9, %f2, %f3",
                "mul.rn.f32 %f9, %f2, %f3",
                "div.rn.f32 %f9, %f2, %f3",
                "sqrt.rn.f32 %f9, %f2",
                "fma.rn.f32 %f9, %f2, %f3, %f4",
                "fma.rn.f32 %f9, %f9, %f3, %f4",
                "fma.rn.f32 %f9, %f2, %f9, %f4",
                "fma.rn.f32 %f9, %f2, %f3, %f9",
                "fma.rn.f32 %f9, %f9, %f3, %f9",
                "fma.rn.f32 %f9, %f2, 0f3f000000, %f4",
                "add.rn.ftz.f32 %f9, %f2, %f3",
                "add.rn.sat.f32 %f9, %f2, %f3",
                "abs.f32 %f9, %f2",
                "neg.f32 %f9, %f2",
                "min.f32 %f9, %f2, %f3",
                "max.f32 %f9, %f2, %f3",
                "cvt.rn.f32.s32 %f9, %r2",
                "cvt.rn.f32.u32 %f9, %r2",
                "add.rn.f64 %d9, %d2, %d3",
                "sub.rn.f64 %d9, %d2, %d3",
                "mul.rn.f64 %d9, %d2, %d3",
                "div.rn.f64 %d9, %d2, %d3",
                "fma.rn.f64 %d9, %d2, %d3, %d4",
                "sqrt.rn.f64 %d9, %d2",
                "ld.shared.b32 %r9, [tile]",
                "ld.shared.b64 %rd9, [tile+8]"
            })
    @DisplayName("one instruction, with and without a guard, and with its result as operand")
    void instruction(String text) {
        boolean whole = !text.equals("cvt.u32.u16 %r9, %h1") && !text.contains("tile");
        agree(text + ";", whole);
        agree("@%p1 " + text + ";", whole);
        agree("@!%p1 " + text + ";\n" + text + ";\n@%p1 " + text + ";", whole);
    }

    @ParameterizedTest
    @CsvSource({
        "s32, %r2, %r3",
        "u32, %r2, %r3",
        "s64, %rd6, %rd7",
        "u64, %rd6, %rd7",
        "f32, %f2, %f3",
        "f64, %d2, %d3"
    })
    @DisplayName("comparisons")
    void comparisons(String type, String a, String b) {
        String[] floats = {
            "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num",
            "nan"
        };
        for (String comparison : floats) {
            if (type.startsWith("f") || comparison.length() == 2) {
                String text = "setp.%s.%s %%p2, %s, %s;".formatted(comparison, type, a, b);
                agree(text, true);
                agree("@%p1 " + text, true);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "and.pred %p2, %p1, %p3;",
                "or.pred %p2, %p1, %p3;",
                "xor.pred %p2, %p1, %p3;",
                "not.pred %p2, %p3;",
                "mov.pred %p2, %p3;"
            })
    @DisplayName("predicates")
    void predicates(String text) {
        agree("setp.lt.s32 %p3, %r2, %r3; " + text, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Lanes part and meet; a loop that each lane leaves at its own time.
                """
                @%p1 bra A;
                add.s32 %r9, %r9, %r2;
                bra B;
                A: xor.b32 %r9, %r3, %r9;
                mov.b64 %rd9, %rd6;
                B: add.s32 %r9, %r9, 1;
                """,
                """
                and.b32 %r5, %r2, 31;
                A: add.s32 %r9, %r9, %r5;
                mad.lo.s32 %r9, %r9, 3, %r3;
                setp.gt.s32 %p3, %r5, 0;
                sub.s32 %r5, %r5, 1;
                @%p3 bra A;
                cvt.rn.f32.s32 %f9, %r9;
                """,
                """
                mov.u32 %r5, 0;
                A: setp.gt.u32 %p3, %r5, %r1;
                @%p3 bra C;
                and.b32 %r6, %r5, 1;
                setp.eq.u32 %p4, %r6, 0;
                @%p4 bra B;
                mad.lo.s32 %r9, %r9, 5, %r5;
                bra D;
                B: add.s64 %rd9, %rd9, %rd7;
                D: add.u32 %r5, %r5, 1;
                setp.lt.u32 %p3, %r5, 20;
                @%p3 bra A;
                C: add.s32 %r9, %r9, %r5;
                """,
                // Shared memory: rows, one word for all, columns, pairs; a barrier between.
                """
                mov.u32 %r5, tile;
                shl.b32 %r6, %r1, 2;
                add.u32 %r7, %r5, %r6;
                st.shared.b32 [%r7], %r2;
                bar.sync 0;
                ld.shared.b32 %r9, [%r5+8];
                ld.shared.b32 %r8, [%r7+4];
                xor.b32 %r9, %r9, %r8;
                and.b32 %r8, %r1, 7;
                shl.b32 %r8, %r8, 5;
                add.u32 %r8, %r8, %r5;
                ld.shared.b32 %r10, [%r8];
                ld.shared.v2.b32 {%r11, %r12}, [%r8+8];
                ld.shared.v4.b32 {%r13, %r14, %r15, %r16}, [%r8+16];
                add.s32 %r9, %r9, %r10;
                xor.b32 %r9, %r9, %r11;
                add.s32 %r9, %r9, %r12;
                xor.b32 %r9, %r9, %r13;
                add.s32 %r9, %r9, %r16;
                """,
                """
                mov.u32 %r5, tile;
                shl.b32 %r6, %r1, 3;
                add.u32 %r7, %r5, %r6;
                st.shared.b64 [%r7], %rd6;
                bar.sync 0;
                xor.b32 %r6, %r6, 24;
                add.u32 %r8, %r5, %r6;
                ld.shared.b64 %rd9, [%r8];
                @%p1 ld.shared.b64 %rd9, [%r7];
                @%p1 st.shared.b32 [%r7], %r3;
                bar.sync 0;
                ld.shared.b32 %r9, [%r8];
                ld.shared.v2.b64 {%rd10, %rd11}, [%r5+16];
                xor.b64 %rd9, %rd9, %rd11;
                """,
                // All lanes store to one place: the last wins.
                """
                st.global.b32 [%rd2+4096], %r1;
                """
                        + "ld.global.b32 %r9, [%rd4+4];",
                "@%p1 st.global.b64 [%rd2], %rd6; ld.global.b32 %r9, [%rd1+4];"
            })
    @DisplayName("control flow and memory")
    void flow(String text) {
        agree(text.contains("4096") ? text.replace("4096", "8") : text, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.global.b32 %r9, [%rd1+8388608];",
                "ld.param.u32 %r9, [a+2];",
                "ld.global.b32 %r9, [%rd1+-65536];",
                "ld.global.b64 %rd9, [%rd1+4];",
                "mul.wide.u32 %rd10, %r1, 65536; add.u64 %rd10, %rd10, %rd1; ld.global.b32 %r9,"
                        + " [%rd10];",
                "mul.wide.u32 %rd10, %r1, 65536; add.u64 %rd10, %rd10, %rd1; st.global.b64 [%rd10],"
                        + " %rd6;",
                "mov.b64 %rd10, -8; ld.global.b32 %r9, [%rd10];",
                "mov.b64 %rd10, 0x7ffffffffffffff8; st.global.b64 [%rd10+8], %rd6;",
                "mov.u32 %r5, tile; ld.shared.b32 %r9, [%r5+4096];",
                "mov.u32 %r5, tile; ld.shared.v4.b32 {%r9, %r6, %r7, %r8}, [%r5+4088];",
                "mov.u32 %r5, tile; shl.b32 %r6, %r1, 6; add.u32 %r5, %r5, %r6; st.shared.b32"
                        + " [%r5], %r2;",
                "mov.u32 %r5, tile; add.u32 %r5, %r5, %r1; ld.shared.b32 %r9, [%r5];",
                "mov.u32 %r5, -4; ld.shared.b32 %r9, [%r5+8]; st.shared.b32 [%r5], %r9;",
                "mov.b64 %rd10, -4; ld.shared.b32 %r9, [%rd10];",
                "setp.gt.u32 %p3, %r1, 40; @%p3 ld.global.b32 %r9, [%rd1+8388608];",
                "add.u64 %rd15, %rd6, %rd7; st.global.u8 [%rd1+8388608], %rd15;",
                "copysign.f32 %f5, %f2, %f3; add.u64 %rd15, %rd6, %rd7; st.global.u8"
                        + " [%rd1+8388608], %rd15;"
            })
    @DisplayName("accesses out of bounds end as the interpreter says, and nowhere else")
    void bounds(String text) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(MachineCodeKernel.module(text), "k.ptx", "k");
        Launch launch =
                Launch.of(
                                new Extent(1, 1, 1),
                                new Extent(MachineCodeKernel.THREADS, 1, 1),
                                Argument.buffer("a", MachineCodeKernel.inputs(1)),
                                Argument.buffer("out", new byte[24 * MachineCodeKernel.THREADS]),
                                Argument.s32(1))
                        .withChecks(Set.of())
                        .withThreads(1);
        Outcome expected = Machine.interpreter().run(kernel, launch);
        Outcome found = Machine.compiler(new Compilations(0)).run(kernel, launch);
        assertThat(expected.findings()).isNotEmpty();
        assertThat(found.findings().toString()).isEqualTo(expected.findings().toString());
    }
}
