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
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Who waits for an mbarrier reads it: its memory is another's once that is over.
@DisplayName("PTX ISA 9.7.13.15: races on the memory of an mbarrier")
final class BarrierObjectRacesTest {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    /// Warp 0 waits before a barrier and perhaps once more behind it; then warp 1 takes the memory.
    private static String kernel(String again, String between, String use) {
        return """
        .version 8.0
        .target sm_90
        .address_size 64
        .visible .entry k(.param .u64 out)
        {
        .reg .b32 %%r<9>; .reg .b64 %%rd<5>; .reg .pred %%p<4>;
        .shared .align 16 .b8 tile[1024];
        ld.param.u64 %%rd1, [out];
        mov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 2; mov.u32 %%r3, tile;
        add.u32 %%r4, %%r3, %%r2;
        setp.lt.u32 %%p1, %%r1, 32; setp.eq.u32 %%p2, %%r1, 0; setp.eq.u32 %%p3, %%r1, 32;
        @%%p2 mbarrier.init.shared.b64 [%%r3+768], 1;
        st.shared.u32 [%%r4], %%r1;
        bar.sync 0;
        @%%p2 mbarrier.arrive.shared.b64 %%rd2, [%%r3+768];
        mov.u32 %%r5, 0; mov.u32 %%r6, 0;
        SUM: mad.lo.u32 %%r6, %%r6, 3, %%r5; xor.b32 %%r6, %%r6, %%r1; add.u32 %%r5, %%r5, 1;
        setp.lt.u32 %%p0, %%r5, 20; @%%p0 bra SUM;
        @%%p1 mbarrier.test_wait.parity.shared.b64 %%p0, [%%r3+768], 0;
        bar.sync 0;
        %s
        %s
        %s
        mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd1, %%rd1, %%rd3;
        st.global.u32 [%%rd1], %%r6;
        ret;
        }
        """
                .formatted(again, between, use);
    }

    private static List<Finding> found(Machine machine, String ptx) {
        Launch launch = Launch.grid(1).block(64).passing(Argument.zeros("out", 256));
        return machine.run(Kernel.of(ptx, "k.ptx", "k"), launch).findings();
    }

    private static final String WAIT =
            "@%p1 mbarrier.test_wait.parity.shared.b64 %p0, [%r3+768], 0;";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@!%p1 st.shared.u32 [%r4+640], %r6;",
                "@%p3 st.shared.v2.u32 [%r3+768], {%r6, %r6};",
                "add.u32 %r4, %r4, 640; @!%p1 bra USE; sub.u32 %r4, %r4, 640; USE:"
                        + " st.shared.u32 [%r4], %r6;"
            })
    void aWaitThatIsNotOverIsRacedWith(String store) {
        String use = "@%p3 mbarrier.inval.shared.b64 [%r3+768];\nbar.warp.sync -1;\n" + store;
        for (Machine machine : MACHINES) {
            String as = machine.name();
            assertThat(found(machine, kernel("", "", use))).as(as).isEmpty();
            assertThat(found(machine, kernel(WAIT, "bar.sync 0;", use))).as(as).isEmpty();
            List<Finding> found = found(machine, kernel(WAIT, "", use));
            assertThat(found).as(as).hasSize(1);
            assertThat(found.getFirst().rule()).as(as).isEqualTo(Rule.DATA_RACE);
        }
    }

    /// Be it that somebody has arrived there, or nobody yet.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "@!%p1 st.shared.u32 [%r4+640], %r6;",
                "st.shared.u32 [%r4+640], %r6;",
                "add.u32 %r4, %r4, 640; @!%p1 bra USE; sub.u32 %r4, %r4, 640; USE:"
                        + " st.shared.u32 [%r4], %r6;"
            })
    void aStoreOverOneInUseIsTold(String store) {
        String used = kernel("", "", store);
        String unused =
                used.replace("@%p2 mbarrier.arrive.shared.b64 %rd2, [%r3+768];", "")
                        .replace(WAIT, "");
        for (String ptx : List.of(used, unused)) {
            for (Machine machine : MACHINES) {
                List<Finding> found = found(machine, ptx);
                assertThat(found).as(machine.name()).hasSize(1);
                assertThat(found.getFirst().rule())
                        .as(machine.name())
                        .isEqualTo(Rule.MBARRIER_OVERWRITTEN);
            }
        }
    }
}
