package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Launch;
import dev.heddle.vm.LoadedModule;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Session;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/// What machine code leaves to Java, or gives up, without the second run of a launch that would
/// mend a wrong first look.
@DisplayName("accesses that machine code cannot judge at first sight")
final class FirstSightTest {
    private static List<Rule> run(String body) {
        return run(body, 64);
    }

    private static List<Rule> run(String body, int threads) {
        String text =
                """
                .version 8.3
                .target sm_90
                .address_size 64
                .visible .entry k(.param .u64 out) {
                .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p<9>;
                .shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 full;
                .shared .align 8 .b64 last;
                ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd2, %r1, 4, %rd1;
                setp.ne.u32 %p1, %r1, 0;
                @!%p1 mbarrier.init.shared.b64 [full], 1;
                @!%p1 mbarrier.init.shared.b64 [last], 1;
                bar.sync 0;
                mov.u32 %r8, 0;
                AGAIN: FILLER
                bar.sync 0;
                setp.eq.u32 %p6, %r8, 2;
                BODY
                add.u32 %r8, %r8, 1; setp.lt.u32 %p5, %r8, 3; @%p5 bra AGAIN;
                ret;
                }
                """
                        .replace("BODY", body)
                        // Machine code runs loops that have much for it.
                        .replace("FILLER", "xor.b32 %r8, %r8, 0;".repeat(40));
        Parsed parsed = Ptx.parse(text, "k.ptx");
        Machine machine = Machine.compiler(new Compilations(0));
        try (Session session = machine.open(new GlobalMemory(1 << 20, true))) {
            LoadedModule module = session.load(parsed.module(), parsed.source());
            Launch launch = Launch.grid(1).block(threads).passing(Argument.zeros("out", 4096));
            return session.launch(module.kernel("k"), launch, Observer.NONE).findings().stream()
                    .map(Finding::rule)
                    .toList();
        }
    }

    /// What a bulk copy reads is not over before it was waited for, whoever reads it beside.
    @Test
    void readsOfBulkCopiesStayApartFromThoseOfWarps() {
        String body =
                """
                @!%p6 bra LATER;
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 256;
                @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, [full];
                ld.global.u32 %r7, [%rd2];
                WAIT: mbarrier.try_wait.parity.shared.b64 %p4, [full], 0; @!%p4 bra WAIT;
                bar.sync 0;
                st.global.u32 [%rd2], %r7;
                LATER:
                """;
        assertThat(run(body)).isEmpty();
        String early = body.replaceAll("WAIT: .*", "");
        assertThat(run(early)).containsExactly(Rule.DATA_RACE);
    }

    /// What bulk copies wrote is over for whoever has waited for it, and for nobody else, in
    /// whatever order that was.
    @Test
    void wordsOfBulkCopiesAreOverForWhoWaited() {
        String body =
                """
                @!%p6 bra LATER;
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 256;
                @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 256, [full];
                @!%p1 mbarrier.arrive.expect_tx.shared.b64 _, [last], 256;
                @!%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile+256], [%rd1+256], 256, [last];
                setp.lt.u32 %p7, %r1, 32;
                FIRST: mbarrier.try_wait.parity.shared.b64 %p4, [full], 0; @!%p4 bra FIRST;
                SECOND: mbarrier.try_wait.parity.shared.b64 %p4, [last], 0; @!%p4 bra SECOND;
                mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5;
                mov.u32 %r4, %r1; ld.shared.u32 %r4, [%r6]; ld.shared.u32 %r7, [%r6+256];
                add.u32 %r4, %r4, %r7; st.global.u32 [%rd2+1024], %r4;
                LATER:
                """;
        assertThat(run(body)).isEmpty();
        assertTold(body.replaceAll("FIRST: .*", ""), Rule.ASYNC_READ_BEFORE_COMPLETION);
        assertTold(body.replaceAll("SECOND: .*", ""), Rule.ASYNC_READ_BEFORE_COMPLETION);
        String byOneWarp =
                body.replace("FIRST:", "@!%p7 bra READ; FIRST:")
                        .replace("mov.u32 %r5", "READ: mov.u32 %r5");
        assertTold(byOneWarp, Rule.ASYNC_READ_BEFORE_COMPLETION);
        String stores = body.replace("ld.shared.u32 %r4, [%r6];", "st.shared.u32 [%r6], %r1;");
        assertThat(run(stores)).isEmpty();
        assertTold(stores.replaceAll("FIRST: .*", ""), Rule.ASYNC_WRITE_BEFORE_COMPLETION);
    }

    /// Who comes behind one of two warps that have stored to the same words does not come behind
    /// the other, whichever was the last.
    @Test
    void whatOneWarpDidLastIsNotAllThatWasDone() {
        String body =
                """
                and.b32 %r5, %r1, 31; mov.u32 %r6, tile; mad.lo.u32 %r6, %r5, 4, %r6;
                setp.lt.u32 %p2, %r1, 32; setp.ge.u32 %p7, %r1, 64;
                @%p6 bra GO;
                @%p2 st.shared.u32 [%r6], 0; bra LATER;
                GO: @%p7 bra READ;
                st.relaxed.cta.shared.u32 [%r6], %r1; @%p2 bra LATER;
                bar.arrive 1, 64; bra LATER;
                READ: bar.sync 1, 64; ld.shared.u32 %r4, [%r6]; st.global.u32 [%rd2+1024], %r4;
                LATER:
                """;
        assertThat(run(body, 96)).containsExactly(Rule.DATA_RACE);
        String all = body.replace("1, 64;", "1, 96;").replace("@%p2 bra LATER;", "");
        assertThat(run(all, 96)).isEmpty();
    }

    private static void assertTold(String body, Rule rule) {
        assertThat(run(body)).containsExactly(rule);
    }
}
