package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@DisplayName("PTX ISA 9.7.13.15.3: nothing is copied over an mbarrier that is in use")
final class OverwrittenBarriersTest {
    private static final String KERNEL =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry kernel(.param .u64 in) {
                .reg .b32 %r<8>;
                .reg .b64 %rd<5>;
                .reg .pred %p<2>;
                .shared .align 128 .b8 memory[256];
                ld.param.u64 %rd1, [in];
                mov.u32 %r1, memory;
                mbarrier.init.shared.b64 [%r1+64], 1;
                mbarrier.init.shared.b64 [%r1+128], 1;
                fence.mbarrier_init.release.cluster;
                BETWEEN
                mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r1+128], 32;
                cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1+AT], [%rd1], 32, [%r1+128];
            WAIT:
                mbarrier.try_wait.parity.shared.b64 %p1, [%r1+128], 0;
                @!%p1 bra WAIT;
                ret;
            }
            """;

    private static List<Finding> found(Machine machine, String between, int at) {
        String text = KERNEL.replace("BETWEEN", between).replace("AT]", at + "]");
        Launch launch = Launch.grid(1).block(1).passing(Argument.zeros("in", 32));
        return machine.run(Kernel.of(text, "over.ptx", "kernel"), launch).findings();
    }

    @ParameterizedTest
    @CsvSource({"48, 64", "64, 64", "112, 128", "128, 128"})
    void aCopyOverOneIsTold(int at, int barrier) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            List<Finding> found = found(machine, "", at);
            assertThat(found).hasSize(1);
            assertThat(found.getFirst().rule()).isEqualTo(Rule.MBARRIER_OVERWRITTEN);
            assertThat(found.getFirst().message())
                    .contains("writes 32 bytes from shared address 0x%x on".formatted(at))
                    .contains("over the mbarrier at 0x%x,".formatted(barrier));
            assertThat(found.getFirst().notes().getFirst().message())
                    .isEqualTo("initialised here for 1 arrival");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "32, ''",
        "80, ''",
        "96, ''",
        "144, ''",
        "64, 'mbarrier.inval.shared.b64 [%r1+64]; fence.proxy.async;'"
    })
    void aCopyBesideThemIsNot(int at, String between) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(found(machine, between, at)).isEmpty();
        }
    }
}
