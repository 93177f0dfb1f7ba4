package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Kernel;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Step;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Loads and stores of elements that are narrower than their registers beside the interpreter.
@DisplayName("Machine code loads and stores bytes, halves of words and vectors of them")
final class NarrowAccessTest {
    private static final String[] ADDRESSES = {
        // one behind the other, one for all, and anywhere
        "mul.lo.u32 %r5, %r1, BYTES;",
        "mov.u32 %r5, 16;",
        "shr.u32 %r5, %r1, 5; mul.lo.u32 %r5, %r5, 48;",
        "and.b32 %r5, %r3, 31; mul.lo.u32 %r5, %r5, BYTES;",
        "and.b32 %r5, %r1, 30; mul.lo.u32 %r5, %r5, BYTES;"
    };

    /// What lanes load from there becomes their results; what they store there is loaded as words.
    private static void agree(String access, int bytes) {
        for (String address : ADDRESSES) {
            for (String guard : new String[] {"", "@%p1 "}) {
                String text =
                        """
                        mov.u32 %r6, tile;
                        shl.b32 %r7, %r1, 3;
                        add.u32 %r7, %r6, %r7;
                        st.shared.b64 [%r7], %rd6;
                        bar.sync 0;
                        """
                                + address.replace("BYTES", "" + bytes)
                                + """
                                cvt.u64.u32 %rd10, %r5;
                                add.u32 %r5, %r5, %r6;
                                add.u64 %rd11, %rd2, %rd10;
                                add.u64 %rd10, %rd1, %rd10;
                                cvt.u64.u32 %rd12, %r5;
                                mov.b16 %h1, 0x1234;
                                mov.b16 %h2, 0x5678;
                                mov.b16 %h3, 0x9abc;
                                mov.b16 %h4, 0xdef0;
                                """
                                + guard
                                + access
                                + """
                                bar.sync 0;
                                ld.shared.b32 %r8, [%r7];
                                xor.b32 %r9, %r9, %r8;
                                mov.b32 %r8, {%h1, %h2};
                                add.u32 %r9, %r9, %r8;
                                mov.b32 %r8, {%h3, %h4};
                                xor.b32 %r9, %r9, %r8;
                                xor.b32 %r9, %r9, %r10;
                                mul.wide.u32 %rd13, %r1, 8;
                                add.u64 %rd13, %rd2, %rd13;
                                ld.global.b64 %rd14, [%rd13];
                                xor.b64 %rd9, %rd9, %rd14;
                                bar.sync 0;
                                """;
                assertThat(inJava(text)).isEmpty();
                MachineCodeTest.agree(text, true);
            }
        }
    }

    private static List<String> inJava(String text) {
        Kernel kernel = Kernel.of(MachineCodeKernel.module(text), "k.ptx", "k");
        return kernel.program().codes().stream()
                .flatMap(
                        code ->
                                code.steps()
                                        .filter(step -> !isNative(code, step))
                                        .map(Object::toString))
                .toList();
    }

    private static boolean isNative(Code code, Step step) {
        return step instanceof Step.Hint
                || NativeSteps.has(step, code.parameterBytes(), Checking.NONE)
                        && NativeSteps.has(step, code.parameterBytes(), Checking.WARPS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u8  | %h1 | 1",
                "s8  | %h1 | 1",
                "b8  | %r9 | 1",
                "s8  | %r9 | 1",
                "u8  | %rd9 | 1",
                "s8  | %rd9 | 1",
                "u16 | %h1 | 2",
                "s16 | %h2 | 2",
                "b16 | %h2 | 2",
                "u16 | %r9 | 2",
                "s16 | %r9 | 2",
                "s16 | %rd9 | 2",
                "u32 | %rd9 | 4",
                "s32 | %rd9 | 4",
                "v2.u8 | {%h1, %h3} | 2",
                "v2.s8 | {%r9, %r10} | 2",
                "v4.u8 | {%h1, %h2, %h3, %h4} | 4",
                "v4.s8 | {%r9, %r10, %r8, _} | 4",
                "v2.u16 | {%h4, %h1} | 4",
                "v2.s16 | {_, %r9} | 4",
                "v4.b16 | {%h1, %h2, %h3, %h4} | 8",
                "v4.s16 | {%rd9, %rd13, %rd14, %rd15} | 8",
                "v2.s32 | {%rd13, %rd9} | 8"
            })
    @DisplayName("loads, from shared memory and from global memory")
    void loads(String type, String targets, int bytes) {
        agree("ld.shared.%s %s, [%%r5];".formatted(type, targets), bytes);
        agree("ld.shared.%s %s, [%%rd12+%d];".formatted(type, targets, 2 * bytes), bytes);
        agree("ld.global.%s %s, [%%rd10+%d];".formatted(type, targets, bytes), bytes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u8  | %h1 | 1",
                "b8  | %r2 | 1",
                "s8  | %rd6 | 1",
                "u16 | %h2 | 2",
                "b16 | %r2 | 2",
                "s16 | %rd6 | 2",
                "u32 | %rd6 | 4",
                "v2.u8 | {%h1, %h3} | 2",
                "v4.u8 | {%h1, %h2, %h3, %h4} | 4",
                "v4.b8 | {%r2, %r3, %r1, %r4} | 4",
                "v2.b16 | {%r3, %r2} | 4",
                "v4.b16 | {%rd8, %rd7, %rd6, %rd9} | 8",
                "v2.u32 | {%rd6, %rd7} | 8"
            })
    @DisplayName("stores, to shared memory and to global memory")
    void stores(String type, String values, int bytes) {
        agree("st.shared.%s [%%r5], %s;".formatted(type, values), bytes);
        agree("st.shared.%s [%%rd12+%d], %s;".formatted(type, 2 * bytes, values), bytes);
        agree("st.global.%s [%%rd11+%d], %s;".formatted(type, bytes, values), bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ld.param.u16 %h1, [n]; cvt.u32.u16 %r9, %h1;",
                "ld.param.u8 %r9, [n+1];",
                "ld.param.s8 %rd9, [n];",
                "ld.param.v2.u16 {%r9, %r10}, [n];",
                "ld.param.u32 %rd9, [n];",
                "st.shared.b16 [tile+2], %h1; ld.shared.s8 %r9, [tile+3];",
                "st.shared.b32 [tile+8], %r1; ld.shared.u32 %r9, [tile+8];"
            })
    @DisplayName("parameters and places that the code names")
    void fixed(String text) {
        String whole = "mov.b16 %h1, 0x89ab;" + text;
        assertThat(inJava(whole)).isEmpty();
        MachineCodeTest.agree(whole, true);
    }
}
