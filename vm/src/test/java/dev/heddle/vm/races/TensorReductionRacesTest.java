package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
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
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;

/// Two CTAs reduce a row into the same bytes of a tensor, and change them by `red`, too. Each
/// element is a relaxed atomic operation of its own, so that operations of the element's size do
/// not race with it, and others do.
@DisplayName("PTX ISA 9.7.9.27.1.3, 8.7.1: tensor reductions beside atomic operations")
final class TensorReductionRacesTest {
    private static final int BYTES = 128;

    /// Carries from the lower word of an element into the upper one when it is added twice.
    private static final long ADDED = 0x1_8000_0000L;

    private static Outcome run(Machine machine, Format format, String operator, String red) {
        int elements = BYTES * 8 / format.bits();
        String module =
                """
                .version 8.0
                .target sm_90
                .address_size 64
                .visible .entry k(.param .align 64 .b8 map[128], .param .u64 tensor)
                {
                .reg .pred %%p<2>; .reg .b16 %%h<2>; .reg .b32 %%r<4>; .reg .b64 %%rd<4>;
                .shared .align 128 .b8 s[%1$d];
                mov.u64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1;
                ld.param.u64 %%rd2, [tensor]; cvta.to.global.u64 %%rd2, %%rd2;
                mov.b64 %%rd3, %2$d; mov.b16 %%h1, 0; mov.u32 %%r1, 0;
                FILL: mov.u32 %%r2, s; add.u32 %%r2, %%r2, %%r1;
                st.shared.b64 [%%r2], %%rd3;
                add.u32 %%r1, %%r1, 8; setp.lt.u32 %%p1, %%r1, %1$d; @%%p1 bra FILL;
                fence.proxy.async;
                cp.reduce.async.bulk.tensor.1d.global.shared::cta.%4$s.tile.bulk_group
                    [%%rd1, {0}], [s];
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 0;
                %3$s
                ret;
                }
                """
                        .formatted(BYTES, ADDED, red, operator);
        Argument.TensorMap map =
                new Argument.TensorMap(
                        new Argument.Address("t", 0),
                        format,
                        List.of((long) elements),
                        List.of(),
                        List.of(elements),
                        List.of(1),
                        0,
                        0,
                        Argument.TensorMap.Fill.ZERO);
        Launch launch =
                Launch.grid(2)
                        .block(1)
                        .with(Argument.of("t", new long[BYTES / Long.BYTES]))
                        .passing(map, new Argument.Address("t", 0));
        return machine.run(Kernel.of(module, "k.ptx", "k"), launch);
    }

    private static Format format(String name) {
        return name.startsWith("U") || name.startsWith("S")
                ? IntegerFormat.valueOf(name)
                : FloatFormat.valueOf(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    U64  | add | red.global.add.u64 [%rd2], %rd3;
                    S64  | min | red.global.min.s64 [%rd2+8], %rd3;
                    U32  | add | red.global.add.u32 [%rd2], %r1;
                    F16  | add | red.global.add.noftz.f16 [%rd2], %h1;
                    BF16 | add | red.global.add.noftz.bf16 [%rd2+2], %h1;
                    """)
    void ofOneSizeIsLetPass(String format, String operator, String red) {
        assertThat(run(Machine.interpreter(), format(format), operator, red).findings()).isEmpty();
        assertThat(run(Machine.compiler(), format(format), operator, red).findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    U64  | add | red.global.add.u32 [%rd2], %r1;
                    U64  | add | red.global.add.u32 [%rd2+12], %r1;
                    U32  | add | red.global.add.u64 [%rd2], %rd3;
                    F16  | add | red.global.add.u32 [%rd2], %r1;
                    U64  | add | st.global.u64 [%rd2], %rd3;
                    """)
    void ofAnotherSizeRaces(String format, String operator, String other) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(run(machine, format(format), operator, other).findings())
                    .isNotEmpty()
                    .extracting(Finding::rule)
                    .containsOnly(Rule.DATA_RACE);
        }
    }

    @Test
    void theSumHas64Bits() {
        Outcome outcome = run(Machine.compiler(), IntegerFormat.U64, "add", "");
        long[] sums = new long[BYTES / Long.BYTES];
        Arrays.fill(sums, 2 * ADDED);
        assertThat(outcome.longs("t")).isEqualTo(sums);
    }
}
