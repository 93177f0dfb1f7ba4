package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.Outcome;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

/// Stores to shared memory in the machine code of warps with checks, beside the interpreter:
/// findings, warnings and memory are the same, whatever is wrong.
@DisplayName("Machine code looks at stores to shared memory as the interpreter does")
final class SharedStampsTest {
    private static final int CTAS = 2;
    private static final int THREADS = 64;

    /// %r7 the thread's sixteen bytes of a tile, %r8 the next thread's; %r9 the thread's word of a
    /// row, %r30 its byte and %r31 its half of a word of one, %r5 the tile; behind 2048 bytes
    /// nobody writes. %rd4 and %rd5 the thread's words of `out` and `in`.
    private static String module(String body) {
        return CheckedWarps.module(
                """
                .shared .align 16 .b8 tile[4096];
                .local .align 4 .b32 own;
                mul.wide.u32 %rd3, %r6, 16;
                add.u64 %rd4, %rd2, %rd3;
                add.u64 %rd5, %rd1, %rd3;
                mov.u32 %r5, tile;
                mad.lo.u32 %r7, %r1, 16, %r5;
                xor.b32 %r8, %r1, 1;
                mad.lo.u32 %r8, %r8, 16, %r5;
                mad.lo.u32 %r9, %r1, 4, %r5;
                add.u32 %r30, %r1, %r5;
                mad.lo.u32 %r31, %r1, 2, %r5;
                setp.lt.u32 %p2, %r1, 32;
                st.shared.v4.b32 [%r7], {%r10, %r11, %r12, %r13};
                st.shared.v4.b32 [%r7+1024], {%r10, %r11, %r12, %r13};
                bar.sync 0;
                """,
                body + "st.global.b32 [%rd4], %r10;");
    }

    private static Outcome agree(String body) {
        return CheckedWarps.agree(module(body), CTAS, THREADS);
    }

    private static final String TAKE = "xor.b32 %r10, %r10, %r14;";

    /// Steps of Java's that have nothing to do with shared memory: notes of what was read before
    /// are taken later.
    private static final String LOCAL =
            "st.local.b32 [own], %r3; ld.local.b32 %r22, [own]; xor.b32 %r10, %r10, %r22;";

    /// The first warp reads words of the second, which the second stores to behind W.
    private static final String OTHERS = "@!%p2 bra W; ld.shared.b32 %r14, [%r7+512];";

    private static final String STORES = TAKE + "bra E; W: st.shared.b32 [%r7], %r11; E:";

    /// What stands between is done more often than there is room for notes of what was read.
    private static final String REPEAT = "mov.u32 %r25, 0; L: ";

    private static final String AGAIN =
            " add.u32 %r25, %r25, 1; setp.lt.u32 %p8, %r25, 70; @%p8 bra L;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "st.shared.b32 [%r7+4], %r10; ld.shared.b32 %r14, [%r7+4];" + TAKE,
                "st.shared.v2.b32 [%r7+8], {%r10,%r11}; ld.shared.v4.b32 {%r14,%r15,%r16,%r17},"
                        + " [%r7];"
                        + TAKE,
                "st.shared.b64 [%r7], %rd12; bar.sync 0; ld.shared.b32 %r14, [%r8];" + TAKE,
                "ld.shared.b32 %r14, [%r7]; st.shared.b32 [%r7], %r11;" + TAKE,
                "ld.shared.b32 %r14, [%r8]; bar.warp.sync -1; st.shared.b32 [%r7], %r11;" + TAKE,
                "@%p2 bra E; st.shared.b32 [%r9], %r11; E: bar.sync 0; ld.shared.b32 %r14, [%r9];"
                        + TAKE,
                "@%p1 bra E; st.shared.b32 [%r7], %r11; E:",
                "st.shared.b32 [%r7], %r11; bar.warp.sync -1; ld.shared.b32 %r14, [%r8];" + TAKE,
                // Lanes in another order than their words.
                "xor.b32 %r20, %r7, 48; cp.async.ca.shared.global [%r20], [%rd5], 16;"
                        + " cp.async.wait_all; ld.shared.b32 %r14, [%r20+12];"
                        + TAKE,
                "cp.async.ca.shared.global [%r7], [%rd5], 16; cp.async.wait_all;"
                        + "st.shared.b32 [%r7], %r11; ld.shared.b32 %r14, [%r7];"
                        + TAKE,
                "st.shared.b32 [%r9+2048], %r11; ld.shared.b32 %r14, [%r9+2048];" + TAKE,
                // A copy over what its own lane has stored.
                "st.shared.b32 [%r7], %r11; cp.async.ca.shared.global [%r7], [%rd5], 16;"
                        + " cp.async.wait_all; ld.shared.b32 %r14, [%r7];"
                        + TAKE,
                "st.shared.b32 [%r7], %r11; cp.async.ca.shared.global [%r7], [%rd5], 4;"
                        + " cp.async.wait_all; ld.shared.b32 %r14, [%r7];"
                        + TAKE,
                // One place for all, by words and bytes, more often than there is room for notes.
                REPEAT
                        + "ld.shared.b32 %r14, [%r5+20]; ld.shared.b8 %r15, [%r5+6];"
                        + AGAIN
                        + "bar.sync 0; st.shared.b32 [%r7+4], %r11;"
                        + TAKE,
                "@%p2 bra E;"
                        + REPEAT
                        + "ld.shared.v2.b32 {%r14,%r15}, [%r8]; ld.shared.b8 %r15, [%r8];"
                        + AGAIN
                        + "bar.warp.sync -1; st.shared.b32 [%r7], %r11;"
                        + TAKE
                        + "E:",
                // Behind a step of Java's, and a barrier of whichever kind.
                OTHERS + LOCAL + TAKE + "W: bar.sync 0; @%p2 bra E; st.shared.b32 [%r7], %r11; E:",
                "ld.shared.b32 %r14, [%r8];"
                        + LOCAL
                        + "bar.warp.sync -1; st.shared.b32 [%r7], %r11;"
                        + TAKE,
                "setp.eq.u32 %p5, %r1, 0; @%p5 mbarrier.init.shared.b64 [%r5+3072], 32; bar.sync 0;"
                        + OTHERS
                        + LOCAL
                        + "mbarrier.arrive.shared.b64 %rd13, [%r5+3072];"
                        + TAKE
                        + "bra E; W: mbarrier.test_wait.parity.shared.b64 %p6, [%r5+3072], 0;"
                        + "@!%p6 bra W; st.shared.b32 [%r7], %r11; E:",
                // A byte of a lane has a place of its own.
                "setp.eq.u32 %p5, %r1, 5; @%p5 st.shared.b8 [%r7+1], %r11;"
                        + "cp.async.ca.shared.global [%r7], [%rd5], 16; cp.async.wait_all;"
                        + "ld.shared.b32 %r14, [%r7+4];"
                        + TAKE,
            })
    @DisplayName("what is in order")
    void inOrder(String body) {
        assertThat(agree(body).findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Another lane's, written and read, by loads that are planned and others.
                "st.shared.b32 [%r7], %r11; ld.shared.b32 %r14, [%r8];" + TAKE,
                "ld.shared.b32 %r14, [%r8]; st.shared.b32 [%r7], %r11;" + TAKE,
                "ld.shared.b32 %r14, [%r9+4]; st.shared.b32 [%r9], %r11;" + TAKE,
                "ld.shared.b32 %r14, [%r5]; st.shared.b32 [%r9], %r11;" + TAKE,
                "ld.shared.v2.b32 {%r14,%r15}, [%r8]; st.shared.b32 [%r7+4], %r11;"
                        + TAKE
                        + "xor.b32"
                        + " %r10, %r10, %r15;",
                "st.shared.b32 [%r9], %r10; st.shared.b32 [%r9+4], %r11;",
                "st.shared.b32 [%r9], %r10; ld.shared.b32 %r14, [%r9+4];" + TAKE,
                "st.shared.v4.b32 [%r7], {%r10,%r11,%r12,%r13}; ld.shared.b32 %r14, [%r9];" + TAKE,
                "ld.shared.b32 %r15, [%r9+1024]; st.shared.b32 [%r9+4], %r11;"
                        + " ld.shared.b32 %r14, [%r9];"
                        + TAKE,
                // One place for all, by words and bytes, more often than there is room for notes.
                REPEAT
                        + "ld.shared.b32 %r14, [%r5+20]; ld.shared.b8 %r15, [%r5+6];"
                        + AGAIN
                        + "st.shared.b32 [%r7+4], %r11;"
                        + TAKE,
                "@%p2 bra W;"
                        + REPEAT
                        + "@%p1 ld.shared.b8 %r14, [%r5+514]; ld.shared.b8 %r15, [%r5];"
                        + AGAIN
                        + TAKE
                        + "bra E; W: st.shared.b8 [%r7+2], %r11; E:",
                "setp.eq.u32 %p5, %r1, 7; @%p5 st.shared.b8 [%r5+9], %r11;"
                        + "ld.shared.b8 %r14, [%r5+9];"
                        + TAKE,
                // The first lane reads what it has stored itself.
                "@!%p2 bra E; setp.eq.u32 %p5, %r1, 0; @%p5 st.shared.b8 [%r5+9], %r11;"
                        + "ld.shared.b8 %r14, [%r5+9];"
                        + TAKE
                        + "E:",
                // The upper half of the warp reads another byte, which the first lane has stored.
                "@!%p2 bra E; setp.eq.u32 %p5, %r1, 0; @%p5 st.shared.b8 [%r5+1], %r11;"
                        + "shr.u32 %r20, %r3, 4; add.u32 %r20, %r20, %r5;"
                        + "ld.shared.b8 %r14, [%r20];"
                        + TAKE
                        + "E:",
                // One word by several lanes.
                "st.shared.b32 [%r5], %r10;",
                "and.b32 %r20, %r9, -8; st.shared.b32 [%r20], %r10;",
                "and.b32 %r20, %r7, -32; st.shared.v2.b32 [%r20+8], {%r11,%r10};",
                // Of another warp.
                "xor.b32 %r20, %r7, 512; st.shared.b32 [%r7], %r10; ld.shared.b32 %r14, [%r20];"
                        + TAKE,
                "xor.b32 %r20, %r7, 512; ld.shared.b32 %r14, [%r20]; st.shared.b32 [%r7], %r10;"
                        + TAKE,
                "xor.b32 %r20, %r7, 512; @%p2 bra E; st.shared.b32 [%r20], %r10;"
                        + "E: st.shared.b32 [%r7], %r10;",
                // The same behind a step of Java's, with a store behind that, and without.
                "xor.b32 %r20, %r7, 512; ld.shared.b32 %r14, [%r20];"
                        + LOCAL
                        + "st.shared.b32 [%r7], %r10;"
                        + TAKE,
                "xor.b32 %r20, %r7, 512; ld.shared.v2.b32 {%r14,%r15}, [%r20];"
                        + LOCAL
                        + "st.shared.b32 [%r7+4], %r10;"
                        + TAKE,
                OTHERS + LOCAL + STORES,
                OTHERS + LOCAL + LOCAL + "ld.shared.b32 %r15, [%r7];" + LOCAL + STORES,
                // Before one that looks at shared memory, of the same warp.
                "ld.shared.b32 %r14, [%r8];"
                        + LOCAL
                        + "atom.shared.exch.b32 %r15, [%r7], %r11;"
                        + TAKE,
                // Copied by two lanes, neighbours and others.
                "and.b32 %r20, %r7, -32; cp.async.ca.shared.global [%r20], [%rd5], 16;",
                "and.b32 %r20, %r1, 47; mad.lo.u32 %r20, %r20, 16, %r5;"
                        + " cp.async.ca.shared.global [%r20], [%rd5], 16;",
                // Under way, and what nobody wrote.
                "cp.async.ca.shared.global [%r7], [%rd5], 16; st.shared.b32 [%r7+12], %r11;",
                "st.shared.b32 [%r7+2048], %r11; ld.shared.v2.b32 {%r10,%r14}, [%r7+2048];" + TAKE,
                // A byte of lane 29 has its own place; the other warp stored where lane 0 copies.
                "setp.eq.u32 %p5, %r1, 29; xor.b32 %r21, %r7, 512; @!%p2 bra R;"
                        + "@%p5 st.shared.b8 [%r21+1], %r11; bar.warp.sync -1;"
                        + "cp.async.ca.shared.global [%r21], [%rd5], 16; cp.async.wait_all; bra E;"
                        + "R: setp.eq.u32 %p6, %r3, 0; @%p6 st.shared.b32 [%r7], %r11; E:",
                // Read by the other warp, beside words that this one has stored since.
                "and.b32 %r20, %r1, 1; setp.eq.u32 %p5, %r20, 0; xor.b32 %r21, %r7, 512;"
                        + "@!%p2 bra R; @!%p5 st.shared.b32 [%r21], %r11; bar.warp.sync -1;"
                        + "cp.async.ca.shared.global [%r21], [%rd5], 16; cp.async.wait_all; bra E;"
                        + "R: @%p5 ld.shared.b32 %r14, [%r7]; @%p5 xor.b32 %r10, %r10, %r14; E:",
                // Over an mbarrier, be it that somebody has arrived there, or nobody yet.
                "setp.eq.u32 %p5, %r1, 0; @%p5 mbarrier.init.shared.b64 [%r5+3072], 1; bar.sync 0;"
                        + " st.shared.b32 [%r9+3072], %r11;",
                "setp.eq.u32 %p5, %r1, 0; @%p5 mbarrier.init.shared.b64 [%r5+3080], 2; bar.sync 0;"
                        + " @%p5 mbarrier.arrive.shared.b64 %rd13, [%r5+3080]; bar.sync 0;"
                        + " st.shared.b32 [%r9+3072], %r11;",
                // Where the other warp may still wait for one.
                "setp.eq.u32 %p5, %r1, 0; @%p5 mbarrier.init.shared.b64 [%r5+3072], 1; bar.sync 0;"
                        + " @%p2 mbarrier.test_wait.parity.shared.b64 %p6, [%r5+3072], 1;"
                        + " setp.eq.u32 %p7, %r1, 32; @%p7 mbarrier.inval.shared.b64 [%r5+3072];"
                        + " bar.warp.sync -1; @%p2 bra E; st.shared.b32 [%r9+2944], %r11; E:",
                // Out of bounds; not aligned.
                "st.shared.b32 [%r7+3088], %r11;",
                "st.shared.v4.b32 [%r9], {%r10,%r11,%r12,%r13};",
                "st.shared.b32 [%r7+2], %r11;",
            })
    @DisplayName("what is not")
    void notInOrder(String body) {
        assertThat(agree(body).findings()).hasSize(1);
    }

    @Test
    @DisplayName("random kernels")
    void random() {
        CheckedWarps.random("sharedStamps", random -> agree(body(random)));
    }

    private static String body(Random random) {
        StringBuilder text = new StringBuilder();
        int steps = 3 + random.nextInt(10);
        int safe = random.nextInt(4);
        for (int i = 0; i < steps; i++) {
            int barrier = random.nextInt(6);
            text.append(barrier < 3 ? "bar.sync 0;\n" : barrier == 3 ? "bar.warp.sync -1;\n" : "");
            int size = 1 << random.nextInt(5);
            // Mostly the thread's own; else the next thread's, a row's, or the same for all.
            int where = random.nextInt(3) < safe ? 0 : random.nextInt(4);
            String row = size == 1 ? "%r30" : size == 2 ? "%r31" : "%r9";
            String base = List.of("%r7", "%r8", row, "%r5").get(where);
            int offset = where == 0 ? size * random.nextInt(16 / size) : 0;
            String guard = List.of("", "", "", "@%p1 ", "@!%p2 ").get(random.nextInt(5));
            String place =
                    base
                            + "+"
                            + (offset + (random.nextInt(9) == 0 ? 2048 : 1024 * random.nextInt(2)));
            String access = access(random, guard, size, place);
            text.append(random.nextInt(8) == 0 ? repeated(access, i) : access).append('\n');
            text.append(random.nextInt(4) == 0 ? LOCAL : "").append('\n');
        }
        return text.toString();
    }

    private static String repeated(String access, int number) {
        return (REPEAT + access + AGAIN).replace("L", "L" + number);
    }

    private static String access(Random random, String guard, int size, String place) {
        String type = size < 4 ? ".b" + 8 * size : CheckedWarps.vector(size) + ".b32";
        int words = Math.max(4, size);
        return switch (random.nextInt(size < 4 ? 4 : 5)) {
            case 0, 1 ->
                    "%sst.shared%s [%s], %s;"
                            .formatted(guard, type, place, CheckedWarps.registers(10, words));
            case 2, 3 ->
                    "%sld.shared%s %s, [%s]; %s%s"
                            .formatted(
                                    guard,
                                    type,
                                    CheckedWarps.registers(14, words),
                                    place,
                                    guard,
                                    TAKE);
            default ->
                    "cp.async.ca.shared.global [%s], [%%rd5], %d; cp.async.wait_all;"
                            .formatted(place, size);
        };
    }
}
