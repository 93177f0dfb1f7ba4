package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.List;

/// `stmatrix.m8n8.b16` (PTX ISA 9.7.14.5.16): lane l names row l % 8 of matrix l / 8, of which
/// lanes 4 (l % 8) to 4 (l % 8) + 3 store a word each. So lane 0 names a row whose first word is
/// its own and whose second is lane 1's; lane 5 names one of lanes 20 to 23.
@DisplayName("Other lanes store the row of stmatrix that a lane names, and has accessed before")
final class StoredRowsTest {
    private static final String KERNEL =
            """
            .version 8.0
            .target sm_90
            .address_size 64
            .visible .entry kernel(.param .u64 out) {
                .reg .b32 %r<10>;
                .reg .b64 %rd<3>;
                .reg .pred %p<3>;
                .shared .align 16 .b8 rows[512];
                ld.param.u64 %rd1, [out];
                mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd1, %r1, 4, %rd1;
                mov.u32 %r2, rows;
                mad.lo.u32 %r2, %r1, 16, %r2;
                setp.eq.u32 %p1, %r1, 0;
                setp.eq.u32 %p2, %r1, 5;
                st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};
                bar.warp.sync -1;
                mov.u32 %r3, 0;
                BEFORE
                stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%r1, %r1, %r1, %r1};
                st.global.u32 [%rd1], %r3;
                ret;
            }
            """;

    private static void assertFound(String before, Rule... rules) {
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            Kernel kernel = Kernel.of(KERNEL.replace("BEFORE", before), "rows.ptx", "kernel");
            Launch launch = Launch.grid(1).block(32).passing(Argument.poison("out", 128));
            List<Finding> found = machine.run(kernel, launch).findings();
            assertThat(found).extracting(Finding::rule).as(before).containsExactly(rules);
            for (Finding each : found) {
                assertThat(each.message()).startsWith("store of 4 bytes at shared address 0x");
            }
        }
    }

    @Test
    void whatAnotherLaneStoresMustNotHaveBeenReadJustNow() {
        assertFound("@%p2 ld.shared.u32 %r3, [%r2];", Rule.DATA_RACE);
        assertFound("@%p1 ld.shared.u32 %r3, [%r2+4];", Rule.DATA_RACE);
        assertFound("ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2];", Rule.DATA_RACE);
    }

    @Test
    void whatALaneStoresItselfMay() {
        assertFound("@%p1 ld.shared.u32 %r3, [%r2];");
    }

    @Test
    void soMayAllBehindABarrier() {
        assertFound("ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2]; bar.warp.sync -1;");
        assertFound("ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2]; bar.sync 0;");
    }

    @Test
    void aValueThatNobodyUsesMattersToNobody() {
        assertFound("@%p2 ld.shared.u32 %r4, [%r2];");
    }
}
