package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.ptx.check.InvalidModule;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// ptxas 13.0 refuses each of these instructions.
@DisplayName("What fits no form never reaches the machine")
final class InvalidModulesTest {
    private static final String KERNEL =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 out) {
            .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b16 %%h<9>; .reg .pred %%p<9>;
            ld.param.u64 %%rd1, [out];
            %s
            %s
            END: ret;
            }
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    mul.hi.u8 %r1, %r2, %r3;         | 9.7.1.3
                    add.sat.u32 %r1, %r2, %r3;       | 9.7.1.1
                    mul.lo.f32 %f1, %f2, %f3;        | 9.7.1.3
                    ld.global.v3.u32 {%r1,%r2,%r3}, [%rd1]; | 9.7.9.8
                    bfi.b32 %r1, %r2, %r3, %r4;      | 9.7.1.20
                    testp.finite.f16 %p1, %h1;       | 9.7.3.1
                    add.s32 %r1, %r2, %f3;           | 9.7.1.1
                    setp.lt.b32 %p1, %r1, %r2;       | 9.7.6.2
                    """)
    void reachedOrNot(String instruction, String section) {
        for (String before : new String[] {"", "bra END;"}) {
            String text = KERNEL.formatted(before, instruction);
            assertThatThrownBy(() -> Kernel.of(text, "k.ptx", "k"))
                    .isInstanceOfSatisfying(
                            InvalidModule.class,
                            invalid -> {
                                CheckReport report = invalid.report();
                                assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.REJECT);
                                Diagnostic finding = report.findings().getFirst();
                                assertThat(finding.position().line()).isEqualTo(8);
                                assertThat(finding.section()).isEqualTo(section);
                                assertThat(finding.rule().verdict()).isEqualTo(Verdict.INVALID);
                                assertThat(invalid).hasMessageStartingWith("k.ptx:8:");
                            });
        }
    }

    @Test
    void textThatDoesNotParseIsInvalidToo() {
        assertThatThrownBy(
                        () -> Kernel.of(KERNEL.formatted("", "add.s32 %r1,, %r2;"), "k.ptx", "k"))
                .isInstanceOf(InvalidModule.class)
                .hasMessageStartingWith("k.ptx:8:");
    }

    @Test
    void aVersionNewerThanTheManualIsRun() {
        Kernel kernel =
                Kernel.of(
                        KERNEL.formatted("", "").replace(".version 8.3", ".version 9.3"), "k", "");
        assertThat(kernel.code().name()).isEqualTo("k");
    }
}
