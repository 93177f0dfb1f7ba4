package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

@DisplayName("What runs over the end of a shared variable does not find the next one")
final class SharedGapsTest {
    private static final String BEGIN =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry kernel(.param .u64 out, .param .u64 in) {
                .reg .b16 %h<2>;
                .reg .b32 %r<8>;
                .reg .b64 %rd<5>;
                .reg .pred %p<2>;
                .shared .align 16 .b8 first[256];
                .shared .align 4 .b8 odd[6];
                .shared .align 16 .b8 second[256];
                .shared .align 8 .b64 bar;
                ld.param.u64 %rd1, [out];
                ld.param.u64 %rd2, [in];
                mov.u32 %r1, %tid.x;
                shl.b32 %r2, %r1, 2;
                mov.u32 %r3, first;
                add.u32 %r3, %r3, %r2;
                mov.u32 %r4, second;
                add.u32 %r4, %r4, %r2;
                mov.u32 %r5, odd;
                mov.b16 %h1, 1;
                st.shared.u32 [%r3], %r1;
                st.shared.u32 [%r4], %r1;
                bar.sync 0;
                mov.u32 %r7, 0;
            """;

    private static final String END =
            """
                mad.wide.u32 %rd1, %r1, 4, %rd1;
                st.global.u32 [%rd1], %r7;
                ret;
            }
            """;

    static List<Machine> machines() {
        return List.of(Machine.interpreter(), Machine.compiler());
    }

    private static Outcome run(Machine machine, String lines) {
        Kernel kernel = Kernel.of(BEGIN + lines + END, "gaps.ptx", "kernel");
        Launch launch =
                Launch.grid(3)
                        .block(64)
                        .passing(Argument.poison("out", 256), Argument.zeros("in", 1024));
        return machine.run(kernel, launch);
    }

    private static void assertTold(String lines, String message) {
        for (Machine machine : machines()) {
            Outcome outcome = run(machine, lines);
            assertThat(outcome.findings()).as("%s", machine).hasSize(1);
            assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
            assertThat(outcome.findings().getFirst().message()).contains(message);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ld.shared.u32 %r7, [%r3+4];  | load of 4 bytes | right behind the end of first"
                        + " (256 bytes",
                "st.shared.u32 [%r3+128], %r1; | store of 4 bytes | behind the end of first",
                "st.shared.u16 [%r5+6], %h1; | store of 2 bytes | right behind the end of odd (6"
                        + " bytes",
                "st.shared.u32 [%r5+4], %r1; | store of 4 bytes | of which 2 bytes lie behind the"
                        + " end of odd",
                "atom.shared.add.u32 %r7, [%r3+4], 1; | atomic operation of 4 bytes | behind the"
                        + " end of first",
                "red.shared.add.u32 [%r4+4], 1; | atomic operation of 4 bytes | behind the end of"
                        + " second",
                "cp.async.ca.shared.global [%r3+4], [%rd2], 4; | asynchronous copy of 4 bytes to"
                        + " shared address | behind the end of first",
                "cp.async.ca.shared.global [%r3], [%rd2+1024], 4; | asynchronous copy of 4 bytes"
                        + " from global address | right behind the end of in",
                "ld.volatile.shared.u32 %r7, [%r4+4]; | load of 4 bytes | behind the end of second"
            })
    void anAccessIsTold(String line, String what, String place) {
        assertTold(line, what);
        assertTold(line, place);
    }

    @ParameterizedTest
    @MethodSource("machines")
    @DisplayName("a bulk copy that is larger than the array it fills")
    void aBulkCopyIsTold(Machine machine) {
        Outcome outcome =
                run(
                        machine,
                        """
                        setp.ne.u32 %p1, %r1, 0;
                        @%p1 bra DONE;
                        mov.u32 %r6, bar;
                        mov.u32 %r5, first;
                        mbarrier.init.shared.b64 [%r6], 1;
                        mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r6], 272;
                        fence.proxy.async;
                        cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd2], 272, [%r6];
                        DONE:
                        """);
        assertThat(outcome.findings().getFirst().message())
                .contains("of which 16 bytes lie behind the end of first")
                .doesNotContain("store of");
    }

    @ParameterizedTest
    @MethodSource("machines")
    @DisplayName("a load whose value is thrown away is none of it, nor are the ends themselves")
    void nothingElseIsTold(Machine machine) {
        Outcome outcome =
                run(
                        machine,
                        """
                        ld.shared.u32 %r6, [%r3+4];
                        ld.shared.u32 %r7, [second+252];
                        st.shared.u16 [%r5+4], %h1;
                        """);
        assertThat(outcome.findings()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("machines")
    @DisplayName("%total_smem_size counts no gaps")
    void sizesAreThoseOfADriver(Machine machine) {
        Outcome outcome = run(machine, "mov.u32 %r7, %total_smem_size;");
        // 256 and 6, aligned to 272, 256 more, and the mbarrier.
        assertThat(outcome.ints("out")[0]).isEqualTo(272 + 256 + 8);
    }
}
