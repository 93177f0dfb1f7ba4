package dev.heddle.vm.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Once a copy has begun, to modify its source before it is complete is undefined.
@DisplayName("PTX ISA 9.7.9.25.1: writes to what cp.async copies")
final class CopiedSourcesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    /// Of each thread: rd2, r3 are its 16 bytes of the source and of shared memory, rd3 those of
    /// the thread of the other half of the CTA, rd4 where the flag is.
    private static void tells(String body, int ctas, int threads, boolean races) {
        String module =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 in, .param .u64 flag)
                {
                .reg .pred %%p<5>; .reg .b32 %%r<9>; .reg .b64 %%rd<9>; .reg .b32 %%f<5>;
                .shared .align 16 .b8 s[4096];
                .shared .align 8 .b8 m[8];
                ld.param.u64 %%rd1, [in]; ld.param.u64 %%rd4, [flag];
                mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x;
                shl.b32 %%r4, %%r1, 4; mov.u32 %%r3, s; add.u32 %%r3, %%r3, %%r4;
                cvt.u64.u32 %%rd5, %%r4; add.u64 %%rd2, %%rd1, %%rd5;
                xor.b64 %%rd5, %%rd5, 512; add.u64 %%rd3, %%rd1, %%rd5;
                setp.eq.u32 %%p1, %%r1, 0; setp.eq.u32 %%p2, %%r2, 0;
                setp.lt.u32 %%p3, %%r1, 32; mov.u32 %%r5, 1; mov.u32 %%r8, m;
                @%%p1 mbarrier.init.shared.b64 [%%r8], %d;
                bar.sync 0;
                %s
                END: ret;
                }
                """
                        .formatted(threads, body);
        Launch launch =
                Launch.grid(ctas)
                        .block(threads)
                        .with(Argument.zeros("in", 4096))
                        .with(Argument.zeros("flag", 16))
                        .passing(new Argument.Address("in", 0), new Argument.Address("flag", 0));
        for (Machine machine : MACHINES) {
            List<Finding> findings =
                    machine.run(Kernel.of(module, "k.ptx", "k"), launch).findings();
            assertThat(findings).as(body).allMatch(it -> it.rule() == Rule.DATA_RACE);
            assertThat(!findings.isEmpty())
                    .as("%s: %s %s", MACHINES.indexOf(machine), body, findings)
                    .isEqualTo(races);
            assertThat(findings).allMatch(it -> it.toString().contains("cp.async"));
        }
    }

    private static final String COPY = "cp.async.ca.shared.global [%r3], [%rd2], 16;";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    st.global.u32 [%rd2+4], %r5;
                    st.global.v4.u32 [%rd2], {%r5, %r5, %r5, %r5};
                    st.global.u8 [%rd2+15], %r5;
                    st.relaxed.gpu.global.u32 [%rd2], %r5;
                    red.relaxed.gpu.global.add.u32 [%rd2+8], %r5;
                    atom.global.exch.b32 %r6, [%rd2], %r5;
                    ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd2], %r6;
                    """)
    void byTheThreadItself(String store) {
        String commit = "cp.async.commit_group;";
        String wait = "cp.async.wait_group 0;";
        tells(COPY + commit + store + wait, 1, 32, true);
        tells(COPY + store + "cp.async.wait_all;", 1, 32, true);
        tells(COPY + commit + "bar.sync 0;" + store + wait, 1, 64, true);
        tells(COPY + commit + wait + store, 1, 32, false);
        tells(store + "bar.sync 0;" + COPY + "cp.async.wait_all;" + store, 1, 64, false);
        String some = "@%p1 bra END;" + COPY + commit;
        tells(some + store + wait, 1, 32, true);
        tells(some + wait + store, 1, 32, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cp.async.wait_group 1; st.global.u32 [%rd2], %r5;      | false
                    cp.async.wait_group 1; st.global.u32 [%rd2+1024], %r5; | true
                    cp.async.wait_group 0; st.global.u32 [%rd2+1024], %r5; | false
                    """)
    void ofGroups(String store, boolean races) {
        String second = "cp.async.ca.shared.global [%r3+1024], [%rd2+1024], 16;";
        String commit = "cp.async.commit_group;";
        tells(COPY + commit + second + commit + store, 1, 64, races);
        tells(COPY + commit + "bar.sync 0;" + second + commit + store, 1, 64, races);
    }

    /// Many instructions of a loop copy, all at one clock of the warp; what they copied the turn
    /// before is written.
    @ParameterizedTest
    @CsvSource({"1, false", "2, true"})
    void inALoop(int pending, boolean races) {
        String copies =
                IntStream.range(0, 16)
                        .map(i -> 512 * (i / 4) + 4 * (i % 4))
                        .mapToObj(
                                "cp.async.ca.shared.global [%%r3+%1$d], [%%rd2+%1$d], 4;"
                                        ::formatted)
                        .collect(Collectors.joining());
        tells(
                "mov.u32 %r6, 0; add.u64 %rd3, %rd2, 2048; add.u32 %r7, %r3, 2048; L:"
                        + copies
                        + "cp.async.commit_group; cp.async.wait_group %d;".formatted(pending)
                        + "st.global.u32 [%rd3], %r5;"
                        + "mov.u64 %rd7, %rd2; mov.u64 %rd2, %rd3; mov.u64 %rd3, %rd7;"
                        + "mov.u32 %r4, %r3; mov.u32 %r3, %r7; mov.u32 %r7, %r4;"
                        + "add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 4; @%p4 bra L;"
                        + "cp.async.wait_all;",
                1,
                32,
                races);
    }

    /// What follows the copies of all threads.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bar.sync 0; STORE cp.async.wait_all;                         | true
                    bar.sync 0; cp.async.wait_all; STORE                         | true
                    bar.sync 0; @%p3 cp.async.wait_all; bar.sync 0; @!%p3 STORE  | false
                    bar.sync 0; @%p3 cp.async.wait_all; bar.sync 0; @%p3 STORE   | true
                    cp.async.wait_all; bar.sync 0; STORE                         | false
                    """)
    void byAnotherThread(String rest, boolean races) {
        String store = "st.global.u32 [%rd3], %r5;";
        tells(COPY + rest.replace("STORE", store), 1, 64, races);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    W: mbarrier.test_wait.parity.shared.b64 %p4, [%r8], 0; @!%p4 bra W; | false
                                                                                        | true
                    """)
    void handedToAnMbarrier(String wait, boolean races) {
        String before =
                COPY + "cp.async.mbarrier.arrive.noinc.shared.b64 [%r8];" + (races ? "" : wait);
        tells(before + "st.global.u32 [%rd2], %r5;", 1, 64, races);
        tells(before + "st.global.u32 [%rd3], %r5;", 1, 64, races);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void byAnotherCta(boolean races) {
        String wait = "cp.async.wait_all;";
        String release = "bar.warp.sync -1; @%p1 st.release.gpu.global.u32 [%rd4], %r5; bra END;";
        tells(
                "@!%p2 bra OTHER;"
                        + COPY
                        + (races ? release.replace("bra END;", wait + "bra END;") : wait + release)
                        + "OTHER: ld.acquire.gpu.global.u32 %r6, [%rd4];"
                        + "setp.eq.u32 %p4, %r6, 0; @%p4 bra OTHER;"
                        + "st.global.u32 [%rd2], %r5;",
                2,
                32,
                races);
    }

    /// An instruction begins copies of three groups with nothing between them.
    @ParameterizedTest
    @CsvSource({
        "1, 0, false",
        "1, 1024, false",
        "1, 2048, true",
        "2, 0, false",
        "2, 1024, true",
        "0, 2048, false"
    })
    void ofGroupsOfALoop(int pending, int written, boolean races) {
        tells(
                "mov.u32 %r6, 0; add.u64 %rd6, %rd2, "
                        + written
                        + "; L: cp.async.ca.shared.global [%r3], [%rd2], 16; cp.async.commit_group;"
                        + "add.u32 %r3, %r3, 1024; add.u64 %rd2, %rd2, 1024; add.u32 %r6, %r6, 1;"
                        + "setp.lt.u32 %p4, %r6, 3; @%p4 bra L;"
                        + "cp.async.wait_group "
                        + pending
                        + "; st.global.u32 [%rd6], %r5;",
                1,
                64,
                races);
    }

    /// Many instructions copy with nothing between them.
    @ParameterizedTest
    @CsvSource({"0", "4", "156"})
    void ofManyInstructions(int written) {
        String copies =
                IntStream.range(0, 40)
                        .map(i -> 4 * i)
                        .mapToObj(
                                "cp.async.ca.shared.global [%%r3+%1$d], [%%rd2+%1$d], 4;"
                                        ::formatted)
                        .collect(Collectors.joining());
        String own =
                "mul.lo.u32 %r4, %r4, 10; cvt.u64.u32 %rd5, %r4;"
                        + "add.u64 %rd2, %rd1, %rd5; mov.u32 %r3, s; add.u32 %r3, %r3, %r4;";
        String store = "st.global.u32 [%rd2+" + written + "], %r5;";
        String commit = "cp.async.commit_group;";
        tells(own + copies + commit + store + "cp.async.wait_all;", 1, 24, true);
        tells(own + copies + commit + "cp.async.wait_all;" + store, 1, 24, false);
    }

    /// Others have read the bytes, or copied them, before they are written.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bar.sync 0; OTHERS bar.sync 0; STORE cp.async.wait_all;                      | true
                    OTHERS cp.async.wait_all; bar.sync 0; STORE                                  | false
                    bar.sync 0; OTHERS bar.sync 0; cp.async.wait_all; bar.sync 0; STORE          | false
                    bar.sync 0; OTHERS @%p3 cp.async.wait_all; bar.sync 0; @!%p3 STORE           | true
                    OTHERS bar.sync 0; READ bar.sync 0; READ bar.sync 0; STORE                   | true
                    OTHERS bar.sync 0; READ cp.async.wait_all; bar.sync 0; READ bar.sync 0; STORE | false
                    """)
    void byOthersMeanwhile(String rest, boolean races) {
        String read = "ld.global.v4.u32 {%r0, %r4, %r6, %r7}, [%rd3];";
        String copy = "cp.async.ca.shared.global [%r3+2048], [%rd3], 16;";
        String[] others = {
            read,
            read + read.replace("rd3", "rd2"),
            copy,
            read + copy,
            copy + read,
            "@%p1 ld.global.u32 %r6, [%rd3];"
        };
        for (String other : others) {
            String body = COPY + rest.replace("OTHERS", other).replace("READ", read);
            tells(body.replace("STORE", "st.global.u32 [%rd2], %r5;"), 1, 64, races);
            tells(body.replace("STORE", "st.global.u8 [%rd2+3], %r5;"), 1, 64, races);
        }
    }

    /// All threads copy the same.
    @ParameterizedTest
    @CsvSource({
        "cp.async.wait_all; bar.sync 0; @%p1 STORE, false",
        "bar.sync 0; cp.async.wait_all; @%p1 STORE, true",
        "bar.sync 0; @%p1 STORE, true",
        "@%p3 cp.async.wait_all; bar.sync 0; @%p1 STORE, true"
    })
    void ofOneSource(String rest, boolean races) {
        tells(
                "cp.async.ca.shared.global [%r3], [%rd1], 16;"
                        + rest.replace("STORE", "st.global.u32 [%rd1], %r5;"),
                1,
                64,
                races);
    }
}
