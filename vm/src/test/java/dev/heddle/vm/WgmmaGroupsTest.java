package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Products of `wgmma` in several groups, waits that leave some of them pending, and touches of
/// their registers in between: random loops, judged by a walk along what they execute.
@DisplayName("PTX ISA 9.7.15.7.3: registers of products are free once their group was waited for")
final class WgmmaGroupsTest {
    private static final int PROGRAMS = 120;
    private static final int ACCUMULATORS = 3;
    private static final int ROUNDS = 3;

    private static final String PTX =
            """
            .version 8.0
            .target sm_90a
            .address_size 64
            .visible .entry k() {
            .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b32 %s<9>; .reg .f32 %d<19>; .reg .f32 %x;
            .reg .pred %p<3>;
            .shared .align 1024 .b8 tile[1024];
            mov.u32 %r1, %tid.x;
            mov.u32 %r4, tile;
            mad.lo.u32 %r5, %r1, 8, %r4;
            mov.b32 %r3, 0;
            st.shared.v2.b32 [%r5], {%r3, %r3};
            shr.u32 %r6, %r4, 4;
            cvt.u64.u32 %rd2, %r6;
            or.b64 %rd2, %rd2, 0x0000000800080000;
            FIRST
            setp.eq.u32 %p1, %r1, %r1;
            fence.proxy.async;
            bar.sync 0;
            LOOP:
            BODY
            add.u32 %r3, %r3, 1;
            setp.lt.u32 %p2, %r3, 3;
            @%p2 bra LOOP;
            wgmma.wait_group.sync.aligned 0;
            ret;
            }
            """;

    /// What a step of a program does with accumulator and matrix A of one number.
    private enum Kind {
        MULTIPLY(
                """
                wgmma.fence.sync.aligned;
                wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%da, %db, %dc, %dd},
                    {%sN, %sN, %sN, %sN}, %rd2, %p1, 1, 1, 0;
                """),
        COMMIT("wgmma.commit_group.sync.aligned;"),
        WAIT("wgmma.wait_group.sync.aligned N;"),
        READ_D("mov.f32 %x, %da;"),
        WRITE_D("mov.f32 %db, 0f00000000;"),
        READ_A("add.u32 %r7, %sN, 1;"),
        WRITE_A("mov.b32 %sN, 0;");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /// A step.
    ///
    /// @param number of the accumulator and of A, or how many groups a wait leaves
    /// @param only the round of the loop in which it runs, or -1 for all
    private record Action(Kind kind, int number, int only) {
        String ptx(int label) {
            String text =
                    kind.text
                            .replace("N", String.valueOf(number))
                            .replace("%da", "%d" + 4 * number)
                            .replace("%db", "%d" + (4 * number + 1))
                            .replace("%dc", "%d" + (4 * number + 2))
                            .replace("%dd", "%d" + (4 * number + 3));
            return only < 0
                    ? text
                    : "setp.ne.u32 %%p2, %%r3, %d; @%%p2 bra SKIP%d; %s SKIP%d:"
                            .formatted(only, label, text, label);
        }
    }

    private static List<Action> program(Random random) {
        List<Action> actions = new ArrayList<>();
        int length = 3 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            // Touches are rare, or every program would have one that is wrong.
            Kind kind =
                    random.nextInt(4) > 0
                            ? Kind.values()[random.nextInt(3)]
                            : Kind.values()[3 + random.nextInt(4)];
            int only = random.nextInt(8) == 0 ? random.nextInt(ROUNDS) : -1;
            actions.add(new Action(kind, random.nextInt(ACCUMULATORS), only));
        }
        return actions;
    }

    /// Whether it touches a register too early: each product has the number of the group that the
    /// next commit makes, and a wait ends all groups but the last ones.
    private static boolean isWrong(List<Action> actions) {
        record Product(int number, int group) {}
        Set<Product> flying = new HashSet<>();
        int committed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (Action action : actions) {
                if (action.only >= 0 && action.only != round) {
                    continue;
                }
                int number = action.number;
                switch (action.kind) {
                    case MULTIPLY -> flying.add(new Product(number, committed));
                    case COMMIT -> committed++;
                    case WAIT -> {
                        int left = committed - number;
                        flying.removeIf(product -> product.group < left);
                    }
                    case READ_D, WRITE_D, READ_A, WRITE_A -> {
                        if (flying.stream().anyMatch(product -> product.number == number)) {
                            return true;
                        }
                    }
                }
            }
        }
        return false;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1})
    void touchesAreFoundWhereGroupsArePending(long seed) {
        Random random = new Random(seed);
        int wrong = 0;
        for (int i = 0; i < PROGRAMS; i++) {
            List<Action> actions = program(random);
            StringBuilder body = new StringBuilder();
            for (Action action : actions) {
                body.append(action.ptx(body.length())).append('\n');
            }
            boolean isWrong = isWrong(actions);
            wrong += isWrong ? 1 : 0;
            for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
                assertThat(rules(machine, body.toString()))
                        .as("%s, seed %d, program %d:%n%s", machine.name(), seed, i, body)
                        .isEqualTo(isWrong ? List.of(Rule.WGMMA_REGISTER_BEFORE_WAIT) : List.of());
            }
        }
        assertThat(wrong).isBetween(PROGRAMS / 6, PROGRAMS * 5 / 6);
    }

    private static List<Rule> rules(Machine machine, String body) {
        StringBuilder first = new StringBuilder();
        for (int i = 0; i < 4 * ACCUMULATORS; i++) {
            first.append("mov.f32 %%d%d, 0f00000000; mov.b32 %%s%d, 0;\n".formatted(i, i / 4));
        }
        String text = PTX.replace("FIRST", first).replace("BODY", body);
        try (Outcome outcome =
                machine.run(
                        Kernel.of(text, "k.ptx", "k"),
                        Launch.of(new Extent(1, 1, 1), new Extent(128, 1, 1))
                                .withChecks(RuleGroup.CHECKS))) {
            return outcome.findings().stream().map(finding -> finding.rule()).toList();
        }
    }
}
