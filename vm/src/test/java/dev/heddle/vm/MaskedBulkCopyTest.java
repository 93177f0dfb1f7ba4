package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// Of each 16 bytes those are copied whose bit of the mask is set; the others stay what they are.
@DisplayName("PTX ISA 9.7.9.25.4.1: cp.async.bulk with .cp_mask")
final class MaskedBulkCopyTest {
    private static final int BYTES = 64;
    private static final List<Machine> MACHINES =
            List.of(Machine.interpreter(), Machine.compiler());

    /// Copies 64 bytes, byte i being i + 1, and then reads the byte that is named.
    private static Kernel kernel(String hint, String policy) {
        String ptx =
                """
                .version 8.6
                .target sm_100
                .address_size 64
                .visible .entry kernel(.param .u64 out, .param .u32 mask, .param .u32 read)
                {
                .reg .pred %p<2>; .reg .b16 %h<2>; .reg .b32 %r<5>; .reg .b64 %rd<4>;
                .shared .align 16 .b8 s[64];
                ld.param.u64 %rd1, [out];
                cvta.to.global.u64 %rd1, %rd1;
                ld.param.u32 %r1, [mask];
                cvt.u16.u32 %h1, %r1;
                mov.u32 %r2, 0;
                FILL: mov.u32 %r3, s;
                add.u32 %r3, %r3, %r2;
                add.u32 %r2, %r2, 1;
                st.shared.u8 [%r3], %r2;
                setp.lt.u32 %p1, %r2, 64;
                @%p1 bra FILL;
                createpolicy.fractional.L2::evict_last.b64 %rd3, 0f3f800000;
                fence.proxy.async;
                cp.async.bulk.global.shared::cta.bulk_groupHINT.cp_mask [%rd1], [s], 64POLICY, %h1;
                cp.async.bulk.commit_group;
                cp.async.bulk.wait_group 0;
                ld.param.u32 %r4, [read];
                cvt.u64.u32 %rd2, %r4;
                add.u64 %rd2, %rd1, %rd2;
                fence.proxy.async;
                ld.global.u8 %r4, [%rd2];
                st.global.u8 [%rd2], %r4;
                ret;
                }
                """;
        return Kernel.of(
                ptx.replace("HINT", hint).replace("POLICY", policy), "masked.ptx", "kernel");
    }

    private static Launch launch(int mask, int read, Argument out) {
        return Launch.grid(1).block(1).passing(out, Argument.s32(mask), Argument.s32(read));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x8000, 0x8001, 0x5555, 0x0ff0, 0xfffe, 0xffff})
    void copiesWhatTheMaskSays(int mask) {
        byte[] expected = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            expected[i] = (byte) ((mask >>> i % 16 & 1) != 0 ? i + 1 : 0);
        }
        for (Machine machine : MACHINES) {
            Outcome outcome =
                    machine.run(kernel("", ""), launch(mask, 0, Argument.zeros("out", BYTES)));
            assertThat(outcome.findings()).isEmpty();
            assertThat(outcome.buffer("out")).as(machine.name()).isEqualTo(expected);
            Outcome hinted =
                    machine.run(
                            kernel(".L2::cache_hint", ", %rd3"),
                            launch(mask, 0, Argument.zeros("out", BYTES)));
            assertThat(hinted.findings()).isEmpty();
            assertThat(hinted.buffer("out")).as(machine.name()).isEqualTo(expected);
        }
    }

    /// Bytes 3 and 19 are copied, their neighbours are nobody's.
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 19, 2})
    void writesNoOtherByte(int read) {
        for (Machine machine : MACHINES) {
            List<Finding> findings =
                    machine.run(kernel("", ""), launch(8, read, Argument.poison("out", BYTES)))
                            .findings();
            if (read % 16 == 3) {
                assertThat(findings).isEmpty();
            } else {
                assertThat(findings.getFirst().rule()).isEqualTo(Rule.UNINITIALIZED_READ);
            }
        }
    }
}
