package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `JUNK` is a register that nobody wrote, `ONES` has ones in all elements, `ZERO` none.
@DisplayName("PTX ISA 9.7.1, 9.7.14: an integer that nobody wrote times zero is zero")
final class ZeroFactorsTest {
    private static final String BYTES = "m16n8k32.row.col.s32.s8.u8.s32";
    private static final String NIBBLES = "m16n8k64.row.col.s32.s4.s4.s32";
    private static final String BITS = "m16n8k256.row.col.s32.b1.b1.s32.and.popc";
    private static final String XOR = "m16n8k256.row.col.s32.b1.b1.s32.xor.popc";

    private static String in(String body, String ones) {
        return "mov.b32 %r10, "
                + ones
                + "; mov.b32 %r11, 0; mad.wide.u32 %rd2, %r1, 4, %rd1;"
                + body.replace("JUNK", "%r2").replace("ONES", "%r10").replace("ZERO", "%r11");
    }

    private static TinyKernel product(String opcode, String ones, String operands) {
        return TinyKernel.of(
                in(
                        "mma.sync.aligned.%s {%%r3, %%r4, %%r5, %%r6}, %s, {ZERO, 5, ZERO, 5};"
                                        .formatted(opcode, operands.replace(" ", ", "))
                                + " add.s32 %r3, %r3, %r6; st.global.u32 [%rd2], %r3;",
                        ones));
    }

    private static void give(TinyKernel kernel, int expected) {
        assertThat(kernel.run(32, new int[32])).containsOnly(expected);
    }

    private static void isTold(TinyKernel kernel) {
        assertThat(kernel.finding(32, 128).rule()).isEqualTo(Rule.UNINITIALIZED_REGISTER);
    }

    /// Half of each sum is ones times ones. Five are added to one of two.
    @ParameterizedTest
    @CsvSource({
        BYTES + ", 0x01010101, {ONES ONES JUNK JUNK} {ONES ZERO}, 37",
        BYTES + ", 0x01010101, {ONES ONES ZERO ZERO} {ONES JUNK}, 37",
        BYTES + ", 0x80808080, {ONES ONES JUNK JUNK} {ONES ZERO}, -524283",
        NIBBLES + ", 0x11111111, {ONES ONES JUNK JUNK} {ONES ZERO}, 69",
        NIBBLES + ", 0x88888888, {ONES ONES ZERO ZERO} {ONES JUNK}, 4101",
        BITS + ", -1, {ONES ONES JUNK JUNK} {ONES ZERO}, 261",
        BITS + ", -1, {ONES ONES ZERO ZERO} {ONES JUNK}, 261"
    })
    void inProductsOfMatrices(String opcode, String ones, String operands, int expected) {
        give(product(opcode, ones, operands), expected);
    }

    @ParameterizedTest
    @CsvSource({
        BYTES + ", 0x01010101, {ONES ONES JUNK JUNK} {ZERO ONES}",
        BYTES + ", 0x01010101, {ONES ONES JUNK JUNK} {ZERO JUNK}",
        BYTES + ", 0x00000100, {ONES JUNK ONES ONES} {ONES ZERO}",
        NIBBLES + ", 0x10000000, {ZERO ZERO ONES ONES} {ONES JUNK}",
        BITS + ", 0x80, {ZERO ZERO ONES ONES} {ONES JUNK}",
        XOR + ", -1, {ONES ONES ZERO ZERO} {ONES JUNK}",
        XOR + ", -1, {ONES ONES JUNK JUNK} {ONES ZERO}"
    })
    void otherFactorsDoNotHideIt(String opcode, String ones, String operands) {
        isTold(product(opcode, ones, operands));
    }

    /// An infinity times zero is no number.
    @Test
    void zerosOfFloatingPointDoNotHideIt() {
        isTold(
                TinyKernel.of(
                        in(
                                """
                                mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r3, %r4},
                                    {JUNK, JUNK}, {ZERO}, {ZERO, ZERO};
                                st.global.u32 [%rd2], %r3;
                                """,
                                "0")));
    }

    /// Of B, lanes 4 to 31 hold columns 1 to 7. Of D, a lane holds columns 2 (lane mod 4) and the
    /// next of two rows.
    @ParameterizedTest
    @CsvSource({"0, %r3, true", "0, %r4, false", "1, %r3, false"})
    void oneColumnAloneIsZero(int lane, String stored, boolean isDefined) {
        TinyKernel kernel =
                TinyKernel.of(
                        in(
                                """
                                setp.ge.u32 %%p1, %%r1, 4; selp.b32 %%r12, ONES, 0, %%p1;
                                mma.sync.aligned.%s {%%r3, %%r4, %%r5, %%r6},
                                    {JUNK, JUNK, JUNK, JUNK}, {%%r12, %%r12}, {1, 1, 1, 1};
                                setp.eq.u32 %%p1, %%r1, %d; @%%p1 st.global.u32 [%%rd1], %s;
                                """
                                        .formatted(BYTES, lane, stored),
                                "0x01010101"));
        if (isDefined) {
            assertThat(kernel.run(32, 0)).containsExactly(1);
        } else {
            isTold(kernel);
        }
    }

    /// The first half of what is stored of A is at columns of the first half.
    @ParameterizedTest
    @CsvSource({
        "{ONES ONES JUNK JUNK} {ONES ONES ZERO ZERO}, 16",
        "{ONES ONES ZERO ZERO} {ONES ONES JUNK JUNK}, 16",
        "{ONES ONES ZERO ZERO} {JUNK ONES ZERO ZERO}, ",
        "{ONES ONES JUNK JUNK} {ZERO ZERO ZERO ONES}, "
    })
    void ofASparseMatrix(String operands, Integer expected) {
        TinyKernel kernel =
                TinyKernel.of(
                                in(
                                        """
                                        mov.b32 %%r12, 0x44444444;
                                        mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32
                                            {%%r3, %%r4, %%r5, %%r6}, %s, {ZERO, ZERO, ZERO, ZERO},
                                            %%r12, 0;
                                        st.global.u32 [%%rd2], %%r3;
                                        """
                                                .formatted(operands.replace(" ", ", ")),
                                        "0x01010101"))
                        .on("sm_90", "8.5");
        if (expected == null) {
            isTold(kernel);
        } else {
            give(kernel, expected);
        }
    }

    @Test
    void inProductsOfWmma() {
        String product =
                """
                wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32
                    {%r3, %r4, %r5, %r6, %r7, %r8, %r9, %r12}, {JUNK, JUNK}, {ZERO, FACTOR},
                    {7, 7, 7, 7, 7, 7, 7, 7};
                st.global.u32 [%rd2], %r12;
                """;
        give(TinyKernel.of(in(product.replace("FACTOR", "ZERO"), "1")), 7);
        isTold(TinyKernel.of(in(product.replace("FACTOR", "ONES"), "1")));
    }

    /// `%r12` has three known bytes, `%r13` a known half.
    @ParameterizedTest
    @CsvSource({
        "dp4a.u32.u32 %r3 %r12 0x00010101 5, 11",
        "dp4a.s32.u32 %r3 0x00fefefe %r13 ZERO, ",
        "dp4a.s32.s32 %r3 0x0000fffe %r13 ONES, -5",
        "dp4a.u32.u32 %r3 %r12 0x01010101 5, ",
        "dp4a.u32.u32 %r3 %r12 %r2 5, ",
        "dp2a.lo.u32.u32 %r3 %r13 0x05050002 ONES, 7",
        "dp2a.hi.s32.s32 %r3 %r13 0x00ff0505 ONES, -2",
        "dp2a.hi.u32.s32 %r3 %r13 0x01ff0505 ONES, ",
        "dp2a.lo.u32.u32 %r3 0x00000003 %r13 ONES, 10",
        "mul.lo.s32 %r3 JUNK ZERO, 0",
        "mul.hi.s32 %r3 JUNK ZERO, 0",
        "mad.lo.s32 %r3 JUNK ZERO 9, 9",
        "mad.hi.u32 %r3 ZERO JUNK 9, 9",
        "mad24.lo.s32 %r3 ZERO JUNK 9, 9",
        "mad24.lo.u32 %r3 ZERO ONES JUNK, ",
        "mad.lo.s32 %r3 JUNK ONES 9, "
    })
    void inSumsOfProducts(String instruction, Integer expected) {
        TinyKernel kernel =
                TinyKernel.of(
                        in(
                                "bfi.b32 %r12, 0x010203, JUNK, 0, 24; bfi.b32 %r13, 3, JUNK, 0, 16;"
                                        + " "
                                        + instruction.replaceFirst(" ", "\t").replace(" ", ", ")
                                        + "; st.global.u32 [%rd2], %r3;",
                                "1"));
        if (expected == null) {
            isTold(kernel);
        } else {
            give(kernel, expected);
        }
    }

    /// What is added may be known in part.
    @Test
    void whatIsAddedCountsBitByBit() {
        give(
                TinyKernel.of(
                        in(
                                """
                                shl.b32 %r3, JUNK, 8; dp4a.u32.u32 %r3, JUNK, ZERO, %r3;
                                and.b32 %r3, %r3, 255; st.global.u32 [%rd2], %r3;
                                """,
                                "1")),
                0);
    }

    private static final String SHARED = ".shared .align 1024 .b8 matrix[4096];";

    /// A has 64 rows of two pieces of 16 bytes, B behind it eight columns. All first pieces are
    /// ones.
    ///
    /// @param a the second pieces of A, in registers or shared memory; `-`: not written
    /// @param b those of B
    @ParameterizedTest
    @CsvSource({
        "m64n8k32.s32.u8.u8, true, -, 0, 16",
        "m64n8k32.s32.u8.u8, true, 0, -, 16",
        "m64n8k32.s32.u8.u8, true, -, 1, ",
        "m64n8k32.s32.u8.u8, true, 1, -, ",
        "m64n8k32.s32.u8.u8, false, -, 0, 16",
        "m64n8k32.s32.u8.u8, false, 0, -, 16",
        "m64n8k32.s32.u8.u8, false, -, 1, ",
        "m64n8k32.s32.u8.u8, false, 1, -, ",
        "m64n8k256.s32.b1.b1.and.popc, true, -, 0, 16",
        "m64n8k256.s32.b1.b1.and.popc, false, 0, -, 16"
    })
    void inProductsOfWarpgroups(
            String opcode, boolean inRegisters, String a, String b, Integer expected) {
        TinyKernel kernel =
                TinyKernel.of(
                                SHARED,
                                in(
                                        pieces("1", 0, 64)
                                                + pieces("1", 2048, 8)
                                                + pieces(a, 128, 64)
                                                + pieces(b, 2176, 8)
                                                + multiply(opcode, inRegisters, a),
                                        "0x01010101"))
                        .on("sm_90a", "8.3");
        if (expected == null) {
            Rule rule =
                    inRegisters && a.equals("-")
                            ? Rule.UNINITIALIZED_REGISTER
                            : Rule.UNINITIALIZED_READ;
            assertThat(kernel.finding(128, 512).rule()).isEqualTo(rule);
        } else {
            assertThat(kernel.run(128, new int[128])).containsOnly(expected);
        }
    }

    /// The first or second pieces: of every eight lines, 128 bytes of 256.
    private static String pieces(String value, int from, int lines) {
        String written = value.equals("1") ? "ONES" : "ZERO";
        return value.equals("-")
                ? ""
                : """
                setp.lt.u32 %%p1, %%r1, %d; shr.u32 %%r14, %%r1, 3; shl.b32 %%r14, %%r14, 8;
                and.b32 %%r15, %%r1, 7; mad.lo.u32 %%r14, %%r15, 16, %%r14;
                mov.u32 %%r15, matrix; add.u32 %%r14, %%r14, %%r15;
                @%%p1 st.shared.v4.u32 [%%r14+%d], {%s, %s, %s, %s};
                """
                        .formatted(lines, from, written, written, written, written);
    }

    private static String multiply(String opcode, boolean inRegisters, String a) {
        String second = a.equals("-") ? "JUNK" : a.equals("1") ? "ONES" : "ZERO";
        return """
        fence.proxy.async; bar.sync 0;
        mov.u32 %%r14, matrix; shr.u32 %%r14, %%r14, 4; or.b32 %%r15, %%r14, 0x80000;
        mov.b64 %%rd3, {%%r15, 16}; add.u32 %%r15, %%r15, 128; mov.b64 %%rd4, {%%r15, 16};
        mov.b32 %%r16, ONES; mov.b32 %%r17, ONES; %s
        setp.ne.u32 %%p1, %%r1, %%r1;
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.%s {%%r3, %%r4, %%r5, %%r6}, %s, %%rd4, %%p1;
        wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
        st.global.u32 [%%rd2], %%r6;
        """
                .formatted(
                        second.equals("JUNK")
                                ? ""
                                : "mov.b32 %%r18, %s; mov.b32 %%r19, %s;"
                                        .formatted(second, second)
                                        .replace("%%", "%"),
                        opcode,
                        inRegisters ? "{%r16, %r17, %r18, %r19}" : "%rd3");
    }
}
