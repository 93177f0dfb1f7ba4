package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Reporting;
import dev.heddle.vm.report.Suppressions;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Patterns of access to global memory by several CTAs: what races is told, the same with any
/// number of workers, and what does not race is let pass.
@DisplayName("PTX ISA 8.7.1: races in global memory, by pattern")
final class GlobalRacesTest {
    /// Of three CTAs of 64 threads: `%r1` is the thread's number in its CTA, `%r2` the CTA's, `%r3`
    /// the thread's in the grid; `%rd1` the buffer.
    private static final String HEAD =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k(.param .u64 out) {
            .reg .b64 %rd<9>; .reg .b32 %r<19>; .reg .pred %p<4>;
            ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
            mad.lo.u32 %r3, %r2, 64, %r1; mov.u32 %r9, 7;
            mad.wide.u32 %rd2, %r3, 4, %rd1; cvt.u64.u32 %rd3, %r3; add.u64 %rd3, %rd1, %rd3;
            mad.wide.u32 %rd4, %r1, 4, %rd1; mad.wide.u32 %rd5, %r3, 16, %rd1;
            mad.wide.u32 %rd6, %r1, 256, %rd1; mad.wide.u32 %rd6, %r2, 4, %rd6;
            setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r2, 1;
            """;

    private static List<Finding> run(Machine machine, String body, int workers) {
        Kernel kernel = Kernel.of(HEAD + body + "\nret;\n}\n", "k.ptx", "k");
        Launch launch =
                Launch.of(new Extent(3, 1, 1), new Extent(64, 1, 1), Argument.zeros("out", 1 << 15))
                        .withThreads(workers);
        return machine.run(kernel, launch).findings();
    }

    private static final String SOUND =
            """
            words, one each                      | st.global.u32 [%rd2], %r3;
            words in place                       | ld.global.u32 %r4, [%rd2]; add.u32 %r4, %r4, 1; st.global.u32 [%rd2], %r4;
            bytes, one each                      | st.global.u8 [%rd3], %r3;
            bytes behind one another             | st.global.u8 [%rd3+1], %r3; ld.global.u8 %r4, [%rd3+1]; st.global.u8 [%rd3+1], %r4;
            vectors                              | st.global.v4.u32 [%rd5], {%r3, %r3, %r3, %r3}; ld.global.v2.u32 {%r4, %r5}, [%rd5+8];
            rows that begin within a sector      | st.global.u32 [%rd2+20], %r3;
            columns                              | st.global.u32 [%rd6], %r3; ld.global.u32 %r4, [%rd6]; st.global.u32 [%rd6], %r4;
            all read the same                    | ld.global.u32 %r4, [%rd1]; ld.global.u32 %r5, [%rd1+4]; st.global.u32 [%rd2+4096], %r4;
            all read the same rows               | ld.global.u32 %r4, [%rd4]; st.global.u32 [%rd2+8192], %r4;
            the same values                      | st.global.u32 [%rd1], %r9; @%p1 st.global.u32 [%rd4+4], %r9;
            rows of the same values              | mul.lo.u32 %r4, %r1, 7; st.global.u32 [%rd4], %r4;
            bytes of the same values             | cvt.u64.u32 %rd7, %r1; add.u64 %rd7, %rd1, %rd7; st.global.u8 [%rd7], %r1;
            one row of the same values, in turns | mov.u32 %r5, 0; mov.u64 %rd7, %rd1; L: st.global.u32 [%rd7], %r5; add.u64 %rd7, %rd7, 4; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 64; @%p3 bra L;
            reads before a barrier, writes after | ld.global.u32 %r4, [%rd2+512]; bar.sync 0; @%p1 st.global.u32 [%rd2+512], %r4;
            atomic operations                    | red.global.add.u32 [%rd4], 1; atom.global.max.u32 %r4, [%rd1+4], 3;
            strong loads and stores              | st.relaxed.gpu.global.u32 [%rd1], %r3; ld.volatile.global.u32 %r4, [%rd1];
            """;

    private static final String BROKEN =
            """
            words of the CTA before              | st.global.u32 [%rd2], %r3; ld.global.u32 %r4, [%rd2+256]; st.global.u32 [%rd2+8192], %r4;
            one word, different values           | @%p1 st.global.u32 [%rd1], %r2;
            rows of one value but for a word     | setp.eq.u32 %p3, %r1, 21; selp.b32 %r4, %r2, %r9, %p3; st.global.u32 [%rd4], %r4;
            bytes of one value but for one       | cvt.u64.u32 %rd7, %r1; add.u64 %rd7, %rd1, %rd7; setp.eq.u32 %p3, %r1, 21; selp.b32 %r4, %r2, %r9, %p3; st.global.u8 [%rd7], %r4;
            one word of a row, in turns          | mov.u32 %r5, 0; mov.u64 %rd7, %rd1; L: setp.eq.u32 %p3, %r5, 21; selp.b32 %r4, %r2, %r5, %p3; st.global.u32 [%rd7], %r4; add.u64 %rd7, %rd7, 4; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 64; @%p3 bra L;
            a byte of others' words              | st.global.u32 [%rd4+4096], %r9; ld.global.u8 %r4, [%rd3+4099]; st.global.u32 [%rd2], %r4;
            vectors that overlap                 | st.global.v4.u32 [%rd5], {%r3, %r3, %r3, %r3}; st.global.u32 [%rd5+16], %r2;
            rows that overlap by a word          | st.global.u32 [%rd2], %r3; @%p1 st.global.u32 [%rd2+256], %r2;
            all read what one writes             | ld.global.u32 %r4, [%rd1]; st.global.u32 [%rd2+4096], %r4; @%p1 st.global.u32 [%rd1], %r2;
            rows that all read and one writes    | ld.global.u32 %r4, [%rd4]; st.global.u32 [%rd2+8192], %r4; bar.sync 0; st.global.u32 [%rd4], %r3;
            atomic and plain                     | red.global.add.u32 [%rd1], 1; bar.sync 0; @%p1 st.global.u32 [%rd1], %r2;
            atomics of the CTA                   | @%p1 red.relaxed.cta.global.add.u32 [%rd1], 1;
            each for the CTA, then for all       | and.pred %p3, %p1, %p2; atom.relaxed.cta.global.exch.b32 %r4, [%rd2], 0; atom.relaxed.gpu.global.exch.b32 %r4, [%rd2], 0; @%p3 atom.relaxed.cta.global.exch.b32 %r4, [%rd1], 0;
            in place within a CTA                | ld.global.u32 %r4, [%rd2+4]; st.global.u32 [%rd2], %r4;
            read by more than a page can list    | setp.gt.u32 %p3, %r2, 1; @%p3 bra E; @!%p1 bra E; mov.u32 %r5, 0; mov.u64 %rd7, %rd1; L: ld.global.u32 %r4, [%rd7]; add.u64 %rd7, %rd7, 64; add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 40; @%p3 bra L; @%p2 st.global.u32 [%rd1], %r9; E:
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = SOUND)
    void isLetPass(String pattern, String body) {
        for (int workers = 1; workers <= 3; workers++) {
            assertThat(run(Machine.interpreter(), body, workers)).as(pattern).isEmpty();
            assertThat(run(Machine.compiler(), body, workers)).as(pattern).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = BROKEN)
    void isTold(String pattern, String body) {
        Set<String> messages = new HashSet<>();
        for (int workers = 1; workers <= 3; workers++) {
            for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
                List<Finding> findings = run(machine, body, workers);
                assertThat(findings).as(pattern).hasSize(1);
                assertThat(findings.getFirst().rule()).as(pattern).isEqualTo(Rule.DATA_RACE);
                messages.add(findings.getFirst().message());
            }
        }
        assertThat(messages).as(pattern).hasSize(1);
    }

    @Test
    @DisplayName("where all are wanted, a reader that is known is told once")
    void knownReader() {
        String body =
                "@!%p1 bra E; setp.gt.u32 %p3, %r2, 1; @%p3 bra E;"
                        + " ld.global.u32 %r4, [%rd1]; @%p2 st.global.u32 [%rd1], %r2; E:";
        Kernel kernel = Kernel.of(HEAD + body + "\nret;\n}\n", "k.ptx", "k");
        Launch launch =
                Launch.of(new Extent(3, 1, 1), new Extent(64, 1, 1), Argument.zeros("out", 1 << 15))
                        .withThreads(1)
                        .reporting(new Reporting(Reporting.Scope.ALL, Suppressions.NONE));
        List<Finding> findings = Machine.interpreter().run(kernel, launch).findings();
        assertThat(findings).hasSize(1);
        assertThat(findings.getFirst().message()).contains("of CTA (0,0,0): ");
    }

    @Test
    @DisplayName("8.8: who reads a weak store over a release acquires nothing")
    void overwrittenRelease() {
        String body =
                """
                @%p2 bra R; @%p1 st.global.u32 [%rd1], 5;
                @%p1 st.release.gpu.global.u32 [%rd1+4], 1;
                bar.sync 0; @%p1 st.global.u32 [%rd1+4], 2; bra E;
                R: @!%p1 bra E; mov.u32 %r6, 0;
                L: ld.acquire.gpu.global.u32 %r4, [%rd1+4];
                add.u32 %r6, %r6, 1; and.b32 %r6, %r6, 7; setp.ne.u32 %p3, %r4, 2; @%p3 bra L;
                ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd1+8], %r5; E:
                """;
        Kernel kernel = Kernel.of(HEAD + body + "\nret;\n}\n", "k.ptx", "k");
        Launch launch =
                Launch.of(new Extent(2, 1, 1), new Extent(64, 1, 1), Argument.zeros("out", 1 << 15))
                        .reporting(new Reporting(Reporting.Scope.ALL, Suppressions.NONE));
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            List<Finding> findings = machine.run(kernel, launch).findings();
            assertThat(findings).extracting(Finding::rule).containsOnly(Rule.DATA_RACE);
            assertThat(findings.stream().map(each -> each.site().mnemonic()).toList())
                    .as(machine.name())
                    .containsExactly("ld.acquire.gpu.global.u32", "ld.global.u32");
        }
    }

    @Test
    @DisplayName("where the page has lost who read, the other is a thread of another CTA")
    void forgottenReader() {
        String body =
                BROKEN.lines()
                        .filter(line -> line.startsWith("read by more than a page can list"))
                        .map(line -> line.substring(line.indexOf('|') + 1))
                        .findFirst()
                        .orElseThrow();
        Finding finding = run(Machine.interpreter(), body, 1).getFirst();
        assertThat(finding.message()).contains("races with a thread of another CTA: ");
        assertThat(finding.notes().getFirst().message())
                .isEqualTo("read by a thread of another CTA, of which no more is known");
    }
}
