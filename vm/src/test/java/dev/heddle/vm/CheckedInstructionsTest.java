package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What is told of an instruction that touches memory with all checks is told with those of its
/// rule's group alone.
@DisplayName("one group of checks, each instruction")
final class CheckedInstructionsTest {
    private static final List<Machine> MACHINES =
            List.of(Machine.interpreter(), Machine.compiler());

    /// Instructions of a lane (`@%p1`) or a warp, at `AT`: `%rd2` in global or `%r3` in shared
    /// memory. Both have 256 bytes from there on, all written.
    enum Instruction {
        LD("@%p1 ld.SPACE.u32 %r5, [AT]; @%p1 st.global.u32 [%rd1+600], %r5;"),
        LD_BYTE("@%p1 ld.SPACE.u8 %r5, [AT]; @%p1 st.global.u32 [%rd1+600], %r5;"),
        LD_VECTOR(
                "@%p1 ld.SPACE.v4.u32 {%r5, %r6, %r7, %r8}, [AT];"
                        + " @%p1 st.global.u32 [%rd1+600], %r5;"),
        LD_RELAXED("@%p1 ld.relaxed.cta.SPACE.u32 %r5, [AT]; @%p1 st.global.u32 [%rd1+600], %r5;"),
        ST("@%p1 st.SPACE.u32 [AT], 9;"),
        ST_BYTE("@%p1 st.SPACE.u8 [AT], 9;"),
        ST_VECTOR("@%p1 st.SPACE.v4.u32 [AT], {9, 9, 9, 9};"),
        ST_RELAXED("@%p1 st.relaxed.cta.SPACE.u32 [AT], 9;"),
        ATOM("@%p1 atom.SPACE.add.u32 %r5, [AT], 9;"),
        ATOM_CAS("@%p1 atom.SPACE.cas.b32 %r5, [AT], 0, 9;"),
        ATOM_WIDE("@%p1 mov.b128 %q1, {%rd1, %rd1}; @%p1 atom.SPACE.exch.b128 %q2, [AT], %q1;"),
        RED("@%p1 red.SPACE.add.u32 [AT], 9;"),
        RED_VECTOR("@%p1 red.global.v2.f32.add [AT], {%f1, %f1};", "global"),
        DISCARD("@%p1 discard.global.L2 [AT], 128;", "global"),
        BULK_STORE("@%p1 st.bulk.weak.shared::cta [AT], 128, 0;", "shared", "sm_100", "8.6"),
        TENSOR_MAP_REPLACE(
                "@%p1 tensormap.replace.tile.global_address.global.b1024.b64 [AT], %rd1;",
                "global"),
        TENSOR_MAP_COPY_FROM(
                """
                @!%p4 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                    [%rd1+512], [AT], 128;
                """,
                "shared"),
        TENSOR_MAP_COPY_TO(
                """
                @!%p4 tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                    [AT], [other], 128;
                """,
                "global"),
        CP_ASYNC_FROM(
                "@%p1 cp.async.ca.shared.global [other], [AT], 16; @%p1 cp.async.wait_all;",
                "global"),
        CP_ASYNC_TO("@%p1 cp.async.ca.shared.global [AT], [%rd1+512], 16;", "shared"),
        BULK_COPY_FROM(
                """
                @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                    [other], [AT], 128, [full];
                """,
                "global"),
        BULK_COPY_TO(
                """
                @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                    [AT], [%rd1+512], 128, [full];
                """,
                "shared"),
        BULK_COPY_BACK_FROM(
                "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+512], [AT], 128;"
                        + " @%p1 cp.async.bulk.commit_group;",
                "shared"),
        BULK_COPY_BACK_TO(
                "@%p1 cp.async.bulk.global.shared::cta.bulk_group [AT], [other], 128;"
                        + " @%p1 cp.async.bulk.commit_group;",
                "global"),
        BULK_REDUCTION_FROM(
                "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1+512], [AT],"
                        + " 128; @%p1 cp.async.bulk.commit_group;",
                "shared"),
        BULK_REDUCTION_TO(
                "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [AT], [other],"
                        + " 128; @%p1 cp.async.bulk.commit_group;",
                "global"),
        LDMATRIX(
                """
                @!%p4 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [ROW];
                @!%p4 st.global.u32 [%rd1+600], %r5;
                """,
                "shared"),
        STMATRIX("@!%p4 stmatrix.sync.aligned.m8n8.x1.shared.b16 [ROW], {%r1};", "shared"),
        WMMA_LOAD(
                """
                @!%p4 wmma.load.a.sync.aligned.row.m8n8k128.SPACE.b1 {%r5}, [AT];
                @!%p4 st.global.u32 [%rd1+600], %r5;
                """,
                "global shared"),
        WMMA_STORE("@!%p4 wmma.store.d.sync.aligned.row.m8n8k128.SPACE.s32 [AT], {%r1, %r1};"),
        ST_ASYNC(
                "@%p1 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [AT], 9,"
                        + " [full];",
                "shared"),
        RED_ASYNC(
                "@%p1 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"
                    + " [AT], 9, [full];",
                "shared"),
        MBARRIER_INIT("@%p1 mbarrier.init.shared.b64 [AT], 1;", "shared");

        private final String text;
        private final List<String> spaces;
        private final String target;
        private final String version;

        Instruction(String text) {
            this(text, "global shared");
        }

        Instruction(String text, String spaces) {
            this(text, spaces, "sm_90a", "8.3");
        }

        Instruction(String text, String spaces, String target, String version) {
            this.text = text;
            this.spaces = List.of(spaces.split(" "));
            this.target = target;
            this.version = version;
        }

        private boolean loads() {
            return name().startsWith("LD") || this == WMMA_LOAD;
        }
    }

    /// @param offset of what is touched behind the places that are right
    /// @param thread of 64 that touches it, or the first of its warp
    /// @param other what the first thread of the other warp does meanwhile
    private record Case(
            Instruction instruction,
            String space,
            int offset,
            int thread,
            String tile,
            String other) {
        Kernel kernel() {
            boolean isShared = space.equals("shared");
            String place = isShared ? "%r3" : "%rd2";
            String text =
                    """
                    .version VERSION
                    .target TARGET
                    .address_size 64
                    .visible .entry k(.param .u64 out) {
                    .reg .b128 %q<3>; .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .f32 %f<2>; .reg .pred %p<6>;
                    .shared .align 128 .b8 tile[256]; .shared .align 128 .b8 other[256];
                    .shared .align 8 .b64 full;
                    ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.b32 %f1, 0;
                    setp.eq.u32 %p1, %r1, THREAD; setp.eq.u32 %p2, %r1, OTHER;
                    and.b32 %r2, %r1, 32; setp.ne.u32 %p4, %r2, THREAD; and.b32 %r2, %r1, 31;
                    mov.u32 %r3, tile; mov.u32 %r4, other; mad.lo.u32 %r5, %r1, 4, %r3;
                    TILE st.shared.u32 [%r5], %r1;
                    mad.lo.u32 %r5, %r1, 4, %r4; st.shared.u32 [%r5], %r1;
                    setp.eq.u32 %p5, %r1, 0;
                    @%p5 mbarrier.init.shared.b64 [full], 1;
                    fence.proxy.async; bar.sync 0;
                    add.u32 %r3, %r3, OFFSET; add.u64 %rd2, %rd1, OFFSET;
                    and.b32 %r6, %r1, 7; mad.lo.u32 %r4, %r6, 16, %r3;
                    INSTRUCTION
                    SIDE
                    ret;
                    }
                    """
                            .replace("VERSION", instruction.version)
                            .replace("TARGET", instruction.target)
                            .replace("TILE", tile)
                            .replace("INSTRUCTION", instruction.text)
                            .replace("SIDE", other)
                            .replace("SPACE", space)
                            .replace("ROW", "%r4")
                            .replace("AT", place)
                            .replace("OFFSET", "" + offset)
                            .replace("THREAD", "" + thread)
                            .replace("OTHER", "" + (32 - thread));
            return Kernel.of(text, "k.ptx", "k");
        }

        List<Rule> told(Machine machine, Set<RuleGroup> checks) {
            Launch launch =
                    Launch.grid(1)
                            .block(64)
                            .passing(Argument.zeros("out", 1024))
                            .withChecks(checks);
            return machine.run(kernel(), launch).findings().stream().map(Finding::rule).toList();
        }

        /// What is loaded behind a variable of shared memory is a value that nobody wrote, and is
        /// followed.
        private Set<RuleGroup> groups(Rule rule) {
            return rule == Rule.OUT_OF_BOUNDS && space.equals("shared") && instruction.loads()
                    ? Set.of(RuleGroup.MEMORY, RuleGroup.DEFINEDNESS)
                    : Set.of(rule.group());
        }

        /// Looks at it with the group of its rule alone. Returns the rule that it breaks.
        Set<Rule> rules() {
            Set<Rule> rules = new HashSet<>();
            for (Machine machine : MACHINES) {
                List<Rule> all = told(machine, RuleGroup.CHECKS);
                rules.addAll(all);
                for (Rule rule : all) {
                    Set<RuleGroup> groups = groups(rule);
                    assertThat(told(machine, groups))
                            .as("%s, %s alone, %s", machine.name(), groups, this)
                            .containsExactly(rule);
                }
            }
            return rules;
        }
    }

    /// Whether the instruction comes first or last. Who else writes where a warp copies a tensor
    /// map to is not looked at.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TENSOR_MAP_COPY_TO")
    void tellsOfRaces(Instruction instruction) {
        for (String space : instruction.spaces) {
            String place = space.equals("shared") ? "tile" : "%rd1";
            Set<Rule> rules = new HashSet<>();
            for (int thread : new int[] {0, 32}) {
                String other = "@%p2 st." + space + ".u32 [" + place + "], 7;";
                rules.addAll(new Case(instruction, space, 0, thread, "", other).rules());
            }
            assertThat(rules).as(space).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsOfBounds(Instruction instruction) {
        for (String space : instruction.spaces) {
            int beyond = space.equals("shared") ? 256 : 1024;
            Set<Rule> rules = new Case(instruction, space, beyond, 0, "", "").rules();
            assertThat(rules).as(space).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {"ATOM", "ATOM_CAS", "RED", "TENSOR_MAP_COPY_FROM", "LD.*", "WMMA_LOAD"},
            mode = EnumSource.Mode.MATCH_ANY)
    void tellsOfUnwrittenMemory(Instruction instruction) {
        assertThat(new Case(instruction, "shared", 0, 0, "@%p4", "").rules())
                .containsExactly(Rule.UNINITIALIZED_READ);
    }
}
