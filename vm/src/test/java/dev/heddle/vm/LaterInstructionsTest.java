package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

@DisplayName("instructions that begin with sm_100 and sm_120")
final class LaterInstructionsTest {
    private static final float[] SPECIAL = {
        0f,
        -0f,
        1f,
        -1f,
        Float.NaN,
        Float.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        Float.MIN_VALUE,
        -Float.MIN_VALUE,
        3f,
        -3f,
        Float.MAX_VALUE
    };

    private static int[] draw(SplittableRandom random, int count) {
        int[] words = new int[count];
        for (int i = 0; i < count; i++) {
            words[i] =
                    random.nextInt(3) == 0
                            ? Float.floatToRawIntBits(SPECIAL[random.nextInt(SPECIAL.length)])
                            : Float.floatToRawIntBits((float) (random.nextDouble() * 8 - 4));
        }
        return words;
    }

    @ParameterizedTest
    @CsvSource({
        "add.rn, 2",
        "add.rz.ftz, 2",
        "sub.rm, 2",
        "sub.rp.ftz, 2",
        "mul.rn, 2",
        "mul.rz.ftz, 2",
        "fma.rn, 3",
        "fma.rp.ftz, 3"
    })
    @DisplayName("PTX ISA 9.7.3.3 to 9.7.3.6: .f32x2 is .f32 of each half")
    void worksOnPairs(String opcode, int arity) {
        // The scalar forms were compared with an H200.
        String third = arity == 3 ? ", %rd6" : "";
        String low = arity == 3 ? ", %f5" : "";
        String high = arity == 3 ? ", %f6" : "";
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 32;
                add.u64 %%rd3, %%rd1, %%rd2;
                ld.global.v2.b64 {%%rd4, %%rd5}, [%%rd3];
                ld.global.b64 %%rd6, [%%rd3+16];
                mov.b64 {%%f1, %%f2}, %%rd4;
                mov.b64 {%%f3, %%f4}, %%rd5;
                mov.b64 {%%f5, %%f6}, %%rd6;
                %1$s.f32x2 %%rd7, %%rd4, %%rd5%2$s;
                %1$s.f32 %%f7, %%f1, %%f3%3$s;
                %1$s.f32 %%f8, %%f2, %%f4%4$s;
                st.global.b64 [%%rd3+16], %%rd7;
                st.global.v2.f32 [%%rd3+24], {%%f7, %%f8};
                """
                        .formatted(opcode, third, low, high);
        int[] words = draw(new SplittableRandom(opcode.hashCode()), 256);
        int[] result = TinyKernel.of(body).on("sm_120", "8.6").run(32, words);
        for (int thread = 0; thread < 32; thread++) {
            assertThat(result[8 * thread + 4]).isEqualTo(result[8 * thread + 6]);
            assertThat(result[8 * thread + 5]).isEqualTo(result[8 * thread + 7]);
        }
        assertThat(result).isNotEqualTo(words);
    }

    /// The manual's `max_num`, `max_nan` and `two_inputs_max`.
    private static float larger(float x, float y, boolean nan) {
        if (Float.isNaN(x) || Float.isNaN(y)) {
            return nan || Float.isNaN(x) && Float.isNaN(y) ? Float.NaN : Float.isNaN(x) ? y : x;
        }
        return Math.max(x, y);
    }

    private static float smaller(float x, float y, boolean nan) {
        return -larger(-x, -y, nan);
    }

    private static float flushed(float x, boolean flush) {
        return flush && Math.abs(x) < Float.MIN_NORMAL ? Math.copySign(0f, x) : x;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max",
                "min",
                "max.NaN",
                "min.NaN",
                "max.abs",
                "min.abs",
                "max.NaN.abs",
                "max.ftz",
                "min.ftz.NaN.abs"
            })
    @DisplayName("PTX ISA 9.7.3.11, 9.7.3.12: min and max of three")
    void comparesThree(String opcode) {
        int[] words = draw(new SplittableRandom(opcode.hashCode()), 384);
        int[] expected = words.clone();
        boolean nan = opcode.contains("NaN");
        for (int thread = 0; thread < 128; thread++) {
            float result = 0;
            for (int i = 0; i < 3; i++) {
                float each =
                        flushed(
                                Float.intBitsToFloat(words[3 * thread + i]),
                                opcode.contains("ftz"));
                each = opcode.contains("abs") ? Math.abs(each) : each;
                result =
                        i == 0
                                ? each
                                : opcode.startsWith("max")
                                        ? larger(result, each, nan)
                                        : smaller(result, each, nan);
            }
            expected[3 * thread] =
                    Float.isNaN(result) ? 0x7fff_ffff : Float.floatToRawIntBits(result);
        }
        String body =
                """
                mul.wide.u32 %%rd2, %%r1, 12;
                add.u64 %%rd3, %%rd1, %%rd2;
                ld.global.f32 %%f1, [%%rd3];
                ld.global.f32 %%f2, [%%rd3+4];
                ld.global.f32 %%f3, [%%rd3+8];
                %s.f32 %%f4, %%f1, %%f2, %%f3;
                st.global.f32 [%%rd3], %%f4;
                """
                        .formatted(opcode);
        assertThat(TinyKernel.of(body).on("sm_120", "8.8").run(128, words))
                .containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"min", "max", "min.abs", "max.NaN", "max.abs.NaN"})
    @DisplayName("PTX ISA 9.7.13.12: redux.sync of .f32, over two groups of lanes")
    void reducesNumbers(String opcode) {
        for (boolean allNan : new boolean[] {false, true}) {
            int[] words = draw(new SplittableRandom(opcode.hashCode()), 32);
            words[31] = allNan ? 0xffc1_2345 : words[31];
            int[] expected = new int[32];
            boolean nan = opcode.contains("NaN");
            for (int group = 0; group < 2; group++) {
                int from = group == 0 ? 0 : 31;
                int to = group == 0 ? 31 : 32;
                float result = Float.NaN;
                for (int lane = from; lane < to; lane++) {
                    float each = Float.intBitsToFloat(words[lane]);
                    each = opcode.contains("abs") ? Math.abs(each) : each;
                    result =
                            lane == from
                                    ? each
                                    : opcode.startsWith("max")
                                            ? larger(result, each, nan)
                                            : smaller(result, each, nan);
                }
                int bits = Float.isNaN(result) ? 0x7fff_ffff : Float.floatToRawIntBits(result);
                java.util.Arrays.fill(expected, from, to, bits);
            }
            String body =
                    """
                    mul.wide.u32 %%rd2, %%r1, 4;
                    add.u64 %%rd3, %%rd1, %%rd2;
                    ld.global.f32 %%f1, [%%rd3];
                    setp.lt.u32 %%p1, %%r1, 31;
                    selp.b32 %%r2, 0x7fffffff, 0x80000000, %%p1;
                    redux.sync.%s.f32 %%f2, %%f1, %%r2;
                    st.global.f32 [%%rd3], %%f2;
                    """
                            .formatted(opcode);
            assertThat(TinyKernel.of(body).on("sm_100a", "8.6").run(32, words))
                    .containsExactly(expected);
        }
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.13: st.bulk stores zeros in shared memory")
    void storesZeros() {
        String body =
                """
                .shared .align 16 .b8 zeroed[512];
                shl.b32 %r2, %r1, 3;
                mov.u32 %r3, zeroed;
                add.u32 %r3, %r3, %r2;
                st.shared.v2.b32 [%r3], {%r1, 7};
                bar.sync 0;
                setp.eq.u32 %p1, %r1, 0;
                mov.u64 %rd4, 24;
                @%p1 st.bulk.weak.shared::cta [zeroed+8], %rd4, 0;
                bar.sync 0;
                ld.shared.v2.b32 {%r4, %r5}, [%r3];
                mul.wide.u32 %rd2, %r1, 8;
                add.u64 %rd3, %rd1, %rd2;
                st.global.v2.b32 [%rd3], {%r4, %r5};
                """;
        assertThat(TinyKernel.of(body).on("sm_100", "8.6").run(5, new int[10]))
                .containsExactly(0, 7, 0, 0, 0, 0, 0, 0, 4, 7);
        Finding race =
                TinyKernel.of(body.replaceFirst("bar.sync 0;\nld", "ld"))
                        .on("sm_100", "8.6")
                        .finding(64, 512);
        assertThat(race.rule()).isEqualTo(Rule.DATA_RACE);
        Finding size =
                TinyKernel.of(body.replace("%rd4, 24", "%rd4, 20"))
                        .on("sm_100", "8.6")
                        .finding(5, 40);
        assertThat(size.rule()).isEqualTo(Rule.WRONG_BULK_STORE_SIZE);
    }

    @Test
    @DisplayName("PTX ISA 9.7.9.17: discard writes values that nobody may read")
    void discards() {
        String body =
                """
                mul.wide.u32 %rd2, %r1, 128;
                add.u64 %rd3, %rd1, %rd2;
                discard.global.L2 [%rd3], 128;
                st.global.b32 [%rd3+124], 7;
                ld.global.b32 %r4, [%rd3+124];
                setp.eq.u32 %p1, %r4, 9;
                @%p1 trap;
                """;
        int[] found = TinyKernel.of(body).run(2, new int[64]);
        assertThat(found[31]).isEqualTo(7);
        assertThat(found[63]).isEqualTo(7);
        assertThat(finding(body.replace("+124]", "+120]").replace("+120], 7", "+124], 7")))
                .isEqualTo(Rule.UNINITIALIZED_READ);
        assertThat(finding(body.replace("%r1, 128", "%r1, 64"))).isEqualTo(Rule.MISALIGNED_ACCESS);
        assertThat(finding(body.replace("discard.global.L2 [%rd3]", "discard.L2 [%rd3+1024]")))
                .isEqualTo(Rule.OUT_OF_BOUNDS);
        assertThat(finding(body.replace("%r1, 128", "%r1, 0"))).isEqualTo(Rule.DATA_RACE);
        assertThat(
                        finding(
                                ".shared .align 128 .b8 s[128]; mov.u32 %r2, s; cvt.u64.u32 %rd3,"
                                        + " %r2; cvta.shared.u64 %rd3, %rd3; discard.L2 [%rd3],"
                                        + " 128;"))
                .isEqualTo(Rule.OUT_OF_BOUNDS);
    }

    private static Rule finding(String body) {
        return TinyKernel.of(body).finding(2, 256).rule();
    }

    @Test
    @DisplayName("PTX ISA 10.29: cooperative groups find their barriers in reserved shared memory")
    void keepsSharedMemoryForTheSystem() {
        String body =
                """
                mov.u32 %r2, %reserved_smem_offset_1;
                mov.u32 %r3, %reserved_smem_offset_begin;
                mov.u32 %r4, %reserved_smem_offset_end;
                mov.u32 %r5, %reserved_smem_offset_cap;
                sub.u32 %r6, %r4, %r3;
                atom.shared.add.u32 %r7, [%r2+16], 1;
                bar.sync 0;
                ld.shared.u32 %r8, [%r2+16];
                setp.ge.u32 %p1, %r3, 256;
                selp.u32 %r9, 1, 0, %p1;
                mul.wide.u32 %rd2, %r1, 16;
                add.u64 %rd3, %rd1, %rd2;
                st.shared.u32 [tile], %r1;
                st.global.v4.b32 [%rd3], {%r6, %r5, %r8, %r9};
                """;
        assertThat(TinyKernel.of(body).run(1, new int[4])).containsExactly(1024, 1024, 1, 1);
    }

    @Test
    @DisplayName("PTX ISA 9.7.12.5: a result that nobody wants")
    void throwsResultsAway() {
        String function =
                """
                .func (.reg .u32 result) both(.reg .u64 at, .reg .u32 value) {
                st.global.u32 [at], value;
                mov.u32 result, 5;
                ret;
                }
                """;
        assertThat(TinyKernel.of(function, "call (_), both, (%rd1, 3);").run(1, new int[1]))
                .containsExactly(3);
    }

    /// Each cluster works until there is no other to take: every CTA counts itself in `out`, and
    /// the clusters that were taken beside the one that took them.
    private static final String PERSISTENT =
            """
            .version 8.6
            .target sm_100a
            .address_size 64
            .visible .entry k(.param .u64 out) {
            .reg .b64 %rd<19>; .reg .b32 %r<29>; .reg .pred %p<9>; .reg .b128 %q<3>;
            .shared .align 16 .b8 answer[16];
            .shared .align 8 .b64 full;
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %ctaid.x;
            mov.u32 %r3, %ctaid.y;
            mov.u32 %r4, %cluster_ctarank;
            mov.u32 %r9, 0;
            setp.eq.u32 %p1, %r1, 0;
            @%p1 mbarrier.init.shared::cta.b64 [full], 1;
            fence.mbarrier_init.release.cluster;
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            NEXT:
            @%p1 mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 _, [full], 16;
            setp.eq.and.u32 %p2, %r4, 0, %p1;
            @%p2 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [full];
            mad.lo.u32 %r5, %r3, 6, %r2;
            mad.wide.u32 %rd2, %r5, 4, %rd1;
            @%p1 red.global.add.u32 [%rd2], 1;
            WAIT:
            mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [full], %r9;
            @!%p3 bra WAIT;
            xor.b32 %r9, %r9, 1;
            ld.shared.b128 %q1, [answer];
            clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p4, %q1;
            @!%p4 bra DONE;
            clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r2, %r3, _, _}, %q1;
            clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r6, %q1;
            clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r7, %q1;
            setp.ne.u32 %p5, %r6, %r2;
            setp.ne.or.u32 %p5, %r7, %r3, %p5;
            @%p5 trap;
            add.u32 %r2, %r2, %r4;
            @%p1 red.global.add.u32 [%rd1+96], 1;
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            bra NEXT;
            DONE:
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            ret;
            }
            """;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("PTX ISA 9.7.13.17, 9.7.13.18: clusters that have not begun are taken over")
    void takesClusters(int cluster) {
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            Outcome outcome =
                    machine.run(
                            Kernel.of(PERSISTENT, "k.ptx", "k"),
                            Launch.grid(6, 4, 1)
                                    .block(32)
                                    .cluster(cluster, 1, 1)
                                    .passing(Argument.zeros("out", 100)));
            assertThat(outcome.findings()).isEmpty();
            int[] out = outcome.ints("out");
            for (int cta = 0; cta < 24; cta++) {
                assertThat(out[cta]).as("CTA %d", cta).isEqualTo(1);
            }
            // At least one cluster ran by itself.
            assertThat(out[24]).isBetween(1, 24 - cluster);
        }
    }
}
