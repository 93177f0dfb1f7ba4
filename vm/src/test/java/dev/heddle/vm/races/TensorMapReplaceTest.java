package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// A warp changes the address in a tensor map, as grouped GEMMs do: one elected lane, or all lanes
/// with one value. Neither is a race, and the copy brings what the new address names.
@DisplayName("PTX ISA 9.7.9.28: tensormap.replace by one lane or by a whole warp")
final class TensorMapReplaceTest {
    private static final int WORDS = 32;

    /// Of two CTAs of a warp: each lets its map begin at its own row of `t`. `%p1` is true in the
    /// elected lane, `%rd4` is where the changed map lies.
    private static String kernel(String replace) {
        return """
        .version 8.3
        .target sm_90a
        .address_size 64
        .global .align 128 .b8 maps[256];
        .visible .entry k(.param .align 64 .b8 map[128], .param .u64 t, .param .u64 out)
        {
        .reg .pred %%p<3>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>;
        .shared .align 128 .b8 own[128];
        .shared .align 128 .b8 row[128];
        .shared .align 8 .b64 bar;
        mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; shl.b32 %%r3, %%r1, 2;
        elect.sync _|%%p1, -1;
        mov.b64 %%rd1, map; cvt.u64.u32 %%rd2, %%r3; add.u64 %%rd3, %%rd1, %%rd2;
        ld.param.u32 %%r4, [%%rd3];
        mul.wide.u32 %%rd7, %%r2, 128;
        mov.u64 %%rd4, maps; add.u64 %%rd4, %%rd4, %%rd7;
        ld.param.u64 %%rd5, [t]; add.u64 %%rd5, %%rd5, %%rd7;
        %s
        @!%%p1 bra JOIN;
        mbarrier.init.shared::cta.b64 [bar], 1;
        fence.proxy.async;
        cvta.global.u64 %%rd6, %%rd4;
        fence.proxy.tensormap::generic.acquire.gpu [%%rd6], 128;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
        cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
            [row], [%%rd6, {0}], [bar];
        JOIN: bar.warp.sync -1;
        WAIT: mbarrier.try_wait.parity.shared::cta.b64 %%p2, [bar], 0;
        @!%%p2 bra WAIT;
        mov.u32 %%r5, row; add.u32 %%r5, %%r5, %%r3; ld.shared.u32 %%r6, [%%r5];
        ld.param.u64 %%rd8, [out]; cvta.to.global.u64 %%rd8, %%rd8;
        add.u64 %%rd8, %%rd8, %%rd7; add.u64 %%rd8, %%rd8, %%rd2;
        st.global.u32 [%%rd8], %%r6;
        ret;
        }
        """
                .formatted(replace);
    }

    /// In shared memory, and all lanes hand it over together.
    private static final String SHARED =
            """
            mov.u32 %%r5, own; add.u32 %%r6, %%r5, %%r3; st.shared.u32 [%%r6], %%r4;
            bar.warp.sync -1;
            %s tensormap.replace.tile.global_address.shared::cta.b1024.b64 [own], %%rd5;
            bar.warp.sync -1;
            cvta.global.u64 %%rd6, %%rd4;
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                [%%rd6], [%%r5], 128;
            """;

    /// Where it lies in global memory.
    private static final String GLOBAL =
            """
            add.u64 %%rd6, %%rd4, %%rd2; st.global.u32 [%%rd6], %%r4;
            bar.warp.sync -1;
            %s tensormap.replace.tile.global_address.global.b1024.b64 [%%rd4], %%rd5;
            fence.proxy.tensormap::generic.release.gpu;
            bar.warp.sync -1;
            """;

    private static int[] numbers() {
        int[] numbers = new int[2 * WORDS];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = 1000 + i;
        }
        return numbers;
    }

    private static Kernel kernelOf(String ptx) {
        return Kernel.of(ptx, "k.ptx", "k");
    }

    /// A row of `t`.
    static Argument.TensorMap map() {
        return new Argument.TensorMap(
                new Argument.Address("t", 0),
                IntegerFormat.U32,
                List.of((long) WORDS),
                List.of(),
                List.of(WORDS),
                List.of(1),
                0,
                0,
                Argument.TensorMap.Fill.ZERO);
    }

    private static Launch launch() {
        return Launch.grid(2)
                .block(32)
                .with(Argument.of("t", numbers()))
                .passing(
                        map(),
                        new Argument.Address("t", 0),
                        Argument.zeros("out", 2 * WORDS * Integer.BYTES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"@%p1", ""})
    void isNoRace(String lanes) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            for (String place : List.of(SHARED, GLOBAL)) {
                Kernel kernel = kernelOf(kernel(place.formatted(lanes)));
                Outcome outcome = machine.run(kernel, launch());
                assertThat(outcome.findings()).isEmpty();
                assertThat(outcome.ints("out")).isEqualTo(numbers());
            }
        }
    }

    /// As Triton writes it: lanes come together at the copy itself.
    @Test
    void theCopyOrdersWhatItsWarpWrote() {
        int last = SHARED.lastIndexOf("bar.warp.sync -1;\n");
        String without = SHARED.substring(0, last) + SHARED.substring(last + 18);
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Outcome outcome = machine.run(kernelOf(kernel(without.formatted("@%p1"))), launch());
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.ints("out")).isEqualTo(numbers());
        }
    }

    /// The instruction that hands the map over, left out.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;",
                "fence.proxy.tensormap::generic.release.gpu;"
            })
    void needsBothFences(String fence) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            for (String place : List.of(SHARED, GLOBAL)) {
                String whole = kernel(place.formatted("@%p1"));
                Outcome outcome = machine.run(kernelOf(whole.replace(fence, "")), launch());
                if (whole.contains(fence)) {
                    assertThat(outcome.findings())
                            .extracting(Finding::rule)
                            .containsExactly(Rule.MISSING_TENSOR_MAP_FENCE);
                } else {
                    assertThat(outcome.findings()).isEmpty();
                }
            }
        }
    }

    /// The barrier of the warp between the replacement and the copy, left out.
    @Test
    void aChangeThatNothingOrdersIsARace() {
        String whole = kernel(GLOBAL.formatted("@%p1"));
        String elsewhere = whole.replace("elect.sync _|%p1, -1;", "setp.eq.u32 %p1, %r1, 0;");
        String unordered =
                elsewhere.replace(
                        "@%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd4], %rd5;",
                        "setp.eq.u32 %p2, %r1, 1;"
                                + " @%p2 tensormap.replace.tile.global_address.global.b1024.b64"
                                + " [%rd4], %rd5;");
        int join = unordered.indexOf("release.gpu;");
        String without =
                unordered.substring(0, join)
                        + unordered.substring(join).replaceFirst("bar.warp.sync -1;", "");
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(machine.run(kernelOf(unordered), launch()).findings()).isEmpty();
            assertThat(machine.run(kernelOf(without), launch()).findings())
                    .extracting(Finding::rule)
                    .containsExactly(Rule.DATA_RACE);
        }
    }
}
