package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.memory.Unwritten;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// A launch copies structures whole, with padding that nobody wrote; another one reads them.
@DisplayName("padding of structures, from launch to launch")
final class StructurePaddingTest {
    private static final String MODULE =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .visible .entry store(.param .u64 items) {
                .reg .b64 %rd<3>; .reg .b32 %r<4>;
                ld.param.u64 %rd1, [items]; mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd1, %r1, 16, %rd1;
                st.global.v4.u32 [%rd1], {%r1, %r1, %r1, %r2};
                ret;
            }
            .visible .entry members(.param .u64 items) {
                .reg .b64 %rd<3>; .reg .b32 %r<6>;
                ld.param.u64 %rd1, [items]; mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd1, %r1, 16, %rd1;
                ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1]; add.u32 %r2, %r3, %r4;
                st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
                ret;
            }
            .visible .entry all(.param .u64 items) {
                .reg .b64 %rd<3>; .reg .b32 %r<6>;
                ld.param.u64 %rd1, [items]; mov.u32 %r1, %tid.x;
                mad.wide.u32 %rd1, %r1, 16, %rd1;
                ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1]; add.u32 %r2, %r3, %r5;
                st.global.u32 [%rd1], %r2;
                ret;
            }
            """;

    @Test
    void staysUnwrittenUntilItDecides() {
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            GlobalMemory memory = new GlobalMemory(1 << 20, true);
            try (Session session = machine.open(memory)) {
                Parsed parsed = Ptx.parse(MODULE, "padding.ptx");
                LoadedModule module = session.load(parsed.module(), parsed.source());
                for (String name : new String[] {"store", "members", "members"}) {
                    assertThat(launch(session, module.kernel(name)).findings()).isEmpty();
                    long items = session.buffer("items").address();
                    assertThat(memory.unwritten(items, 512))
                            .isEqualTo(new Unwritten(items + 12, 128));
                }
                assertThat(launch(session, module.kernel("all")).findings())
                        .singleElement()
                        .satisfies(
                                one -> assertThat(one.rule()).isEqualTo(Rule.UNINITIALIZED_READ));
            }
        }
    }

    private static Outcome launch(Session session, Kernel kernel) {
        Launch launch =
                Launch.of(
                                new Extent(1, 1, 1),
                                new Extent(32, 1, 1),
                                new Argument.Buffer("items", 512, null))
                        .withChecks(RuleGroup.CHECKS);
        MemorySnapshot.Cost all = MemorySnapshot.Cost.upTo(Long.MAX_VALUE);
        try (MemorySnapshot before = session.memory().snapshot(all)) {
            return session.launch(kernel, launch, Observer.NONE, before);
        }
    }
}
