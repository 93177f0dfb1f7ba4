package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("What runs over the end of a variable in device memory does not find the next one")
final class ModuleGapsTest {
    private static final String BEGIN =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .const .align 4 .b8 weights[40];
            .const .align 4 .f32 bias = 0f3F800000;
            .global .align 4 .b8 table[256];
            .global .align 4 .b8 next[256];
            .global .align 4 .b32 count = 7;
            .global .align 8 .b32 limit = 9;
            .visible .entry kernel(.param .u64 out) {
                .reg .b32 %r<8>;
                .reg .b64 %rd<8>;
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, %tid.x;
                mul.wide.u32 %rd2, %r1, 4;
                mov.u64 %rd3, table;
                add.u64 %rd3, %rd3, %rd2;
                mov.u64 %rd4, weights;
                add.u64 %rd4, %rd4, %rd2;
                cvta.const.u64 %rd5, %rd4;
                mov.u32 %r7, 0;
            """;

    private static final String END =
            """
                add.u64 %rd1, %rd1, %rd2;
                st.global.u32 [%rd1], %r7;
                ret;
            }
            """;

    private static Outcome run(Machine machine, String lines, int threads) {
        Kernel kernel = Kernel.of(BEGIN + lines + END, "gaps.ptx", "kernel");
        return machine.run(
                kernel, Launch.grid(2).block(threads).passing(Argument.poison("out", 256)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "64 | ld.global.u32 %r7, [%rd3+4];   | in no buffer: right behind the end of table",
                "64 | ld.global.u32 %r7, [%rd3+-4];  | in no buffer: 4 bytes before table",
                "64 | ld.u32 %r7, [%rd3+256];        | in no buffer: right behind the end of table",
                "64 | st.global.u32 [%rd3+260], %r1; | in no buffer: 4 bytes behind the end of"
                        + " table",
                "64 | st.global.u8 [%rd3+5], %r1;    | in no buffer: 1 byte behind the end of"
                        + " table",
                "64 | red.global.add.u32 [%rd3+4], %r1; | right behind the end of table",
                "2  | ld.global.v2.u32 {%r6, %r7}, [limit]; | 4 bytes lie behind the end of limit",
                "10 | ld.const.u32 %r7, [%rd4+4];    | in no variable: right behind the end of"
                        + " weights",
                "10 | ld.const.u32 %r7, [bias+4];    | in no variable: right behind the end of"
                        + " bias",
                "10 | ld.const.u32 %r7, [%rd3];      | in no variable: ",
                "10 | ld.u32 %r7, [%rd5+4];          | in no buffer: right behind the end of"
                        + " weights",
            })
    void isTold(int threads, String line, String message) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Outcome outcome = run(machine, line, threads);
            assertThat(outcome.findings()).as("%s", machine).hasSize(1);
            assertThat(outcome.findings().getFirst().rule()).isEqualTo(Rule.OUT_OF_BOUNDS);
            assertThat(outcome.findings().getFirst().message()).contains(message);
        }
    }

    @Test
    void isNotToldOfAccessesInOrder() {
        String lines =
                """
                ld.global.u32 %r2, [count];
                ld.global.u32 %r3, [limit];
                ld.const.u32 %r4, [bias];
                ld.global.u32 %r5, [%rd3];
                ld.const.u32 %r6, [%rd4];
                ld.u32 %r7, [%rd5];
                add.u32 %r7, %r7, %r2;
                add.u32 %r7, %r7, %r3;
                add.u32 %r7, %r7, %r5;
                add.u32 %r7, %r7, %r6;
                """;
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Outcome outcome = run(machine, lines, 10);
            assertThat(outcome.findings()).as("%s", machine).isEmpty();
            assertThat(outcome.ints("out")).startsWith(16, 16, 16, 16, 16, 16, 16, 16, 16, 16);
        }
    }
}
