package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.EnumSet;

@DisplayName("who wrote and read shared memory, and in what order")
final class SharedMemoryChecksTest {
    /// `%r4`: the address of the thread's word, `%r5` of its byte, `%r6` of its neighbour's word in
    /// the warp, `%r7` of the first word.
    private static final String PLACES =
            """
            mov.u32 %r7, tile; add.u32 %r5, %r7, %r1; mad.lo.u32 %r4, %r1, 4, %r7; xor.b32 %r6, %r4, 4;
            cvt.u16.u32 %h1, %r1;
            """;

    private static Finding found(int threads, String body) {
        return TinyKernel.of(PLACES + body).finding(threads, 64);
    }

    /// What is found where nobody asks what becomes of the values that are read.
    private static Finding raced(int threads, String body) {
        return TinyKernel.of(PLACES + body)
                .finding(threads, 64, EnumSet.complementOf(EnumSet.of(RuleGroup.DEFINEDNESS)));
    }

    private static void sound(int threads, String body) {
        assertThat(TinyKernel.of(PLACES + body).run(threads, new byte[64])).isNotNull();
    }

    @Test
    void aWordOfWhichOneByteWasWritten() {
        assertThat(
                        found(
                                        1,
                                        "st.shared.u8 [%r7], %r1; ld.shared.u32 %r2, [%r7];"
                                                + " add.u32 %r2, %r2, 1;"
                                                + " st.global.u32 [%rd1], %r2;")
                                .message())
                .contains("load of 4 bytes", "nobody wrote byte 1");
    }

    @Test
    void theLastWordOfAVectorThatNobodyWrote() {
        Finding finding =
                found(
                        1,
                        """
                        st.shared.v2.u32 [%r7], {%r1, %r1}; st.shared.u32 [%r7+8], %r1;
                        ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r7];
                        st.global.u32 [%rd1], %r13;
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_READ);
        assertThat(finding.message()).contains("load of 16 bytes", "nobody wrote byte 12");
    }

    @Test
    void aWordWithAnotherThreadsByteInIt() {
        Finding finding =
                raced(
                        64,
                        """
                        st.shared.u8 [%r5], %r1; bar.sync 0;
                        setp.eq.u32 %p1, %r1, 2; @%p1 st.shared.u8 [%r7+2], %r1;
                        setp.eq.u32 %p2, %r1, 40; @%p2 ld.shared.u32 %r2, [%r7];
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.message())
                .containsPattern(
                        "thread \\((2,0,0\\) races with thread \\(40,0,0|40,0,0\\) races with"
                                + " thread \\(2,0,0)\\):");
    }

    @Test
    void aStoreOverWhatANeighbourReadsWithoutABarrier() {
        Finding finding =
                found(
                        32,
                        """
                        st.shared.u32 [%r4], %r1; bar.warp.sync -1;
                        ld.shared.u32 %r2, [%r6]; st.shared.u32 [%r4], %r2;
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.notes().getFirst().message())
                .isEqualTo("read here by thread (1,0,0) (warp 0, lane 1)");
    }

    @Test
    void theLastThreadOfTheLargestCta() {
        String last = "setp.eq.u32 %p1, %r1, 1023; setp.eq.u32 %p2, %r1, 0;\n";
        assertThat(
                        raced(
                                        1024,
                                        last
                                                + """
                                                @%p1 st.shared.u32 [%r7], %r1; bar.sync 0;
                                                @%p1 ld.shared.u32 %r2, [%r7]; @%p2 st.shared.u32 [%r7], %r1;
                                                """)
                                .message())
                .contains("thread (0,0,0)", "thread (1023,0,0)");
        sound(1024, last + "@%p1 st.shared.u16 [%r7+2], %h1; @%p1 ld.shared.u16 %h2, [%r7+2];");
    }

    @Test
    void memoryThatWasFreedSinceTheSameInstructionReadIt() {
        Finding finding =
                TinyKernel.of(
                                """
                                .extern .func (.param .b64 p) malloc (.param .b64 n);
                                .extern .func free (.param .b64 p);
                                """,
                                """
                                { .param .b64 n; .param .b64 p; mov.u64 %rd4, 64; st.param.b64 [n], %rd4;
                                  call.uni (p), malloc, (n); ld.param.b64 %rd5, [p]; }
                                st.u32 [%rd5], %r1; mov.u32 %r3, 0;
                                AGAIN: ld.u32 %r2, [%rd5]; setp.eq.u32 %p1, %r3, 0; mov.u32 %r3, 1; @!%p1 bra END;
                                { .param .b64 q; st.param.b64 [q], %rd5; call.uni free, (q); }
                                bra AGAIN;
                                END:
                                """)
                        .finding(1, 64);
        assertThat(finding.message()).contains("load of 4 bytes", "memory that was freed");
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void bytesThatBecomeWordsAgain(int threads) {
        sound(
                threads,
                """
                st.shared.u8 [%r5], %r1; bar.sync 0; ld.shared.u32 %r2, [%r7]; bar.sync 0;
                st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u8 %r2, [%r5]; bar.sync 0;
                st.shared.u16 [%r4], %h1; st.shared.u16 [%r4+2], %h1; ld.shared.u32 %r2, [%r4];
                bar.warp.sync -1; ld.shared.u32 %r2, [%r6];
                """);
    }

    @Test
    void copiesThatWereWaitedFor() {
        sound(
                4,
                """
                cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.wait_all; ld.shared.u8 %r2, [%r4+1];
                bar.sync 0; ld.shared.u32 %r2, [%r6]; bar.sync 0;
                cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.wait_all; st.shared.u32 [%r4], %r1;
                ld.shared.u32 %r2, [%r4]; st.shared.u8 [%r4], %r1; cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.wait_all;
                ld.shared.u32 %r2, [%r4];
                """);
    }

    /// PTX ISA 9.7.9.25.3.1: bytes behind src-size are zeros; with none of them the address is not
    /// used.
    @Test
    void aCopyOfNoBytesFromNowhere() {
        sound(
                1,
                """
                sub.s64 %rd1, %rd1, 68719476736; mov.u32 %r5, 0;
                cp.async.ca.shared.global [%r4], [%rd1], 4, %r5; cp.async.wait_all; ld.shared.u32 %r2, [%r4];
                """);
    }

    @Test
    void aCopyIntoBytesThatWasNotWaitedFor() {
        assertThat(
                        raced(
                                        1,
                                        """
                                        st.shared.u8 [%r4+1], %r1; cp.async.ca.shared.global [%r4], [%rd1], 4;
                                        ld.shared.u8 %r2, [%r4+1];
                                        """)
                                .rule())
                .isEqualTo(Rule.CP_ASYNC_READ_BEFORE_WAIT);
    }

    @Test
    void aStoreIntoWhatIsStillBeingCopied() {
        Finding finding =
                found(
                        1,
                        """
                        cp.async.ca.shared.global [%r4], [%rd1], 4; st.shared.u32 [%r4], %r1;
                        cp.async.wait_all;
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.CP_ASYNC_WRITE_BEFORE_WAIT);
    }

    @Test
    void aCopyWaitedForBehindTheBarrier() {
        Finding finding =
                raced(
                        64,
                        """
                        setp.eq.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, 0;
                        @%p1 cp.async.ca.shared.global [%r7], [%rd1], 4; bar.sync 0;
                        @%p1 cp.async.wait_all; @%p2 ld.shared.u32 %r2, [%r7];
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.notes())
                .extracting(Finding.Note::message)
                .contains(
                        "written here, by an asynchronous copy of thread (32,0,0) (warp 1, lane"
                                + " 0)");
    }

    @Test
    void aCopyIntoWhatAnotherHasRead() {
        Finding finding =
                raced(
                        64,
                        """
                        st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r2, [%r6];
                        cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.wait_all;
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.message())
                .startsWith("asynchronous copy of 4 bytes to shared address 0x");
    }

    @Test
    void aReadThatAReadOfTheWriterHides() {
        Finding finding =
                raced(
                        64,
                        """
                        setp.eq.u32 %p1, %r1, 0; setp.ge.u32 %p3, %r1, 32;
                        @%p1 st.shared.u32 [%r7], %r1; bar.sync 0;
                        @%p3 ld.shared.u32 %r2, [%r7]; @%p1 ld.shared.u32 %r2, [%r7];
                        @%p1 st.shared.u32 [%r7], %r1;
                        """);
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.notes().getFirst().message()).startsWith("read here by thread (32,0,0)");
    }

    /// Thread i reads the vector whose number is i in Gray code, modulo 16. Of threads 35 and 60
    /// that is vector 2, whose last word is thread 11's.
    @Test
    void vectorsThatAreNotEvenlyApart() {
        String reads =
                """
                shr.u32 %r8, %r1, 1; xor.b32 %r8, %r8, %r1; and.b32 %r8, %r8, 15;
                mad.lo.u32 %r8, %r8, 16, %r7; setp.ge.u32 %p1, %r1, 32; setp.eq.u32 %p2, %r1, 11;
                st.shared.u32 [%r4], %r1; bar.sync 0;
                @%p1 ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r8];
                """;
        Finding finding = raced(64, reads + "@%p2 st.shared.u32 [%r4], %r8;");
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
        assertThat(finding.message()).contains("by thread (11,0,0) races with thread (35,0,0)");
        sound(64, reads + "bar.sync 0; @%p2 st.shared.u32 [%r4], %r8;");
    }

    @Test
    void differentValuesInOneWord() {
        assertThat(found(32, "st.shared.u32 [%r7], %r1;").message())
                .contains("by thread (1,0,0) races with thread (0,0,0)");
    }

    @Test
    void theSameValueByManyThreads() {
        sound(
                64,
                "st.shared.u32 [%r7], 7; st.shared.u32 [%r7], 7; bar.sync 0; ld.shared.u32 %r2,"
                        + " [%r7];");
    }

    private static String passed(String before, String after) {
        return """
        setp.eq.u32 %%p1, %%r1, 0; setp.eq.u32 %%p2, %%r1, 32; mov.u32 %%r8, 1; mov.u32 %%r9, 0;
        @%%p1 st.shared.u32 [%%r7+4], %%r9; bar.sync 0;
        @%%p1 bra WRITE; @%%p2 bra WAIT; bra END;
        WRITE: %s st.release.cta.shared.u32 [%%r7+4], %%r8; %s bra END;
        WAIT: ld.acquire.cta.shared.u32 %%r2, [%%r7+4]; setp.eq.u32 %%p3, %%r2, 0; @%%p3 bra WAIT;
        ld.shared.u32 %%r3, [%%r7];
        END:
        """
                .formatted(before, after);
    }

    @Test
    void whatWasWrittenBeforeARelease() {
        sound(64, passed("st.shared.u32 [%r7], %r8;", ""));
    }

    @Test
    void whatWasWrittenAfterARelease() {
        Finding finding =
                raced(64, passed("st.shared.u32 [%r7], %r9;", "st.shared.u32 [%r7], %r8;"));
        assertThat(finding.rule()).isEqualTo(Rule.DATA_RACE);
    }
}
