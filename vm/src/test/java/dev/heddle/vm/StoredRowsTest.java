package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.compiler.Compilations;
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
                STORE
                st.global.u32 [%rd1], %r3;
                ret;
            }
            """;

    private static final String STORE =
            "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%r1, %r1, %r1, %r1};";
    private static final String LOAD =
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r2];"
                    + "add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; add.u32 %r3, %r3, %r6;";

    private static void assertFound(String before, Rule... rules) {
        assertFound(before, STORE, rules);
    }

    private static void assertFound(String before, String then, Rule... rules) {
        for (Machine machine : machines()) {
            List<Finding> found = found(machine, before, then);
            assertThat(found).extracting(Finding::rule).as(before).containsExactly(rules);
            for (Finding each : found) {
                assertThat(each.message()).startsWith("store of 4 bytes at shared address 0x");
            }
        }
    }

    private static List<Machine> machines() {
        return List.of(
                Machine.interpreter(), Machine.compiler(), Machine.compiler(new Compilations(0)));
    }

    private static List<Finding> found(Machine machine, String before, String then) {
        String text = KERNEL.replace("BEFORE", before).replace("STORE", then);
        Kernel kernel = Kernel.of(text, "rows.ptx", "kernel");
        Launch launch = Launch.grid(1).block(32).passing(Argument.poison("out", 128));
        return machine.run(kernel, launch).findings();
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

    /// Lane 1 stores the second word of row 0, which lane 0 names; lane 20 the first of row 5.
    @Test
    void whateverLaneNamesItsRow() {
        assertFound("setp.eq.u32 %p1, %r1, 1; @%p1 ld.shared.u32 %r3, [rows+4];");
        assertFound("setp.eq.u32 %p1, %r1, 20; @%p1 ld.shared.u32 %r3, [rows+80];");
        assertFound("setp.eq.u32 %p1, %r1, 1; @%p1 ld.shared.u32 %r3, [rows+80];", Rule.DATA_RACE);
    }

    @Test
    void aLaneMayStoreAgainWhatItStoredItself() {
        String own = "shl.b32 %r9, %r1, 2; mov.u32 %r8, rows; add.u32 %r9, %r9, %r8;";
        String other = "add.u32 %r1, %r1, 7;";
        assertFound(STORE + other);
        assertFound(own + "st.shared.u32 [%r9], 77;");
        assertFound(STORE + own + other, "st.shared.u32 [%r9], %r1;");
    }

    /// A row is loaded for the lane that names it, too.
    @Test
    void whatAnotherStoredBeforeALoadIsARace() {
        assertLoaded(STORE, LOAD);
        assertLoaded(STORE, LOAD.replace("m8n8", "trans.m8n8"));
        assertLoaded("st.shared.v4.u32 [%r2], {77, 77, 77, 77};", LOAD);
        assertLoaded("@%p2 st.shared.u32 [%r2], 77;", LOAD);
    }

    private static void assertLoaded(String before, String load) {
        for (Machine machine : machines()) {
            assertThat(found(machine, before, load))
                    .as(before)
                    .singleElement()
                    .satisfies(
                            one -> {
                                assertThat(one.rule()).isEqualTo(Rule.DATA_RACE);
                                assertThat(one.message()).startsWith("load of ");
                            });
        }
    }

    @Test
    void whatAnotherLaneStoredIsARace() {
        String whole = "st.shared.v4.u32 [%r2], {77, 77, 77, 77};";
        assertFound(whole, Rule.DATA_RACE);
        assertFound(whole + "bar.warp.sync -1;");
        assertFound("@%p2 st.shared.u32 [%r2], 77;", Rule.DATA_RACE);
        assertFound("@%p1 st.shared.u32 [%r2], 77;");
        assertFound(STORE, STORE.replace("m8n8", "trans.m8n8"), Rule.DATA_RACE);
        assertFound(STORE + "bar.warp.sync -1;", STORE.replace("m8n8", "trans.m8n8"));
    }

    /// PTX ISA 9.7.14.5.15: four threads load a row, each what it gets of it.
    @Test
    void aLaneMayStoreOverWhatItGotOfARow() {
        assertFound(LOAD);
        // Rows that other lanes named: those of matrices 2, 3, 0 and 1.
        assertFound(
                "xor.b32 %r9, %r1, 16; mov.u32 %r8, rows; mad.lo.u32 %r9, %r9, 16, %r8;"
                        + LOAD.replace("[%r2]", "[%r9]"));
    }

    @Test
    void soItMayOfColumns() {
        String columns = STORE.replace("m8n8", "trans.m8n8");
        assertFound(LOAD.replace(".m8n8", ".trans.m8n8"), columns);
        assertFound(LOAD, columns, Rule.DATA_RACE);
        assertFound(LOAD.replace(".m8n8", ".trans.m8n8"), STORE, Rule.DATA_RACE);
        assertFound(LOAD + "bar.warp.sync -1;", columns);
    }

    @Test
    void soItMayByAnOrdinaryStore() {
        String own = "shl.b32 %r9, %r1, 2; mov.u32 %r8, rows; add.u32 %r9, %r9, %r8;";
        assertFound(LOAD + own, "st.shared.u32 [%r9], %r1;");
        assertFound(LOAD + own, "st.shared.u32 [%r9+128], %r1;");
        assertFound(LOAD + own, "xor.b32 %r9, %r9, 4; st.shared.u32 [%r9], %r1;", Rule.DATA_RACE);
    }

    @Test
    void aValueThatNobodyUsesMattersToNobody() {
        assertFound("@%p2 ld.shared.u32 %r4, [%r2];");
    }
}
