package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.memory.MemorySnapshot;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Each thread stores its word of a tile and takes that of a thread of another warp.
@DisplayName("a read of what is written only later names the write")
final class LaterWritesTest {
    private static final String BODY =
            """
            mov.u32 %%r7, tile; mad.lo.u32 %%r2, %%r1, 4, %%r7; xor.b32 %%r3, %%r2, 128;
            %s
            st.shared.u32 [%%r2], %%r1;
            %s
            ld.shared.u32 %%r4, [%%r3]; mul.wide.u32 %%rd2, %%r1, 4; add.u64 %%rd2, %%rd2, %%rd1;
            st.global.u32 [%%rd2], %%r4;
            %s
            """;

    private static Finding finding(String before, String between, String behind) {
        return TinyKernel.of(BODY.formatted(before, between, behind)).finding(64, 256);
    }

    @Test
    void whereNothingOrdersThem() {
        Finding finding = finding("", "", "");
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_READ);
        Finding.Note write = finding.notes().getFirst();
        assertThat(write.message())
                .contains("written only later: store of 4 bytes at shared address 0x80")
                .contains("by thread (32,0,0) races with thread (0,0,0)");
        assertThat(Objects.requireNonNull(write.site()).mnemonic()).isEqualTo("st.shared.u32");
    }

    /// The barrier is there, and the read is on the wrong side of it.
    @Test
    void notWhereABarrierOrdersThem() {
        String reads = "ld.shared.u32 %r5, [%r3]; st.global.u32 [%rd1], %r5; bar.sync 0;";
        assertThat(finding(reads, "bar.sync 0;", "").notes())
                .noneMatch(note -> note.message().contains("later"));
    }

    @Test
    void notWhereNobodyWrites() {
        String reads = "ld.shared.u32 %r5, [%r7+252]; st.global.u32 [%rd1], %r5;";
        String body = "mov.u32 %r7, tile; " + reads;
        assertThat(TinyKernel.of(body).finding(1, 64).notes())
                .noneMatch(note -> note.message().contains("later"));
    }

    @Test
    void notWhereRacesAreNoMatter() {
        Set<RuleGroup> others = EnumSet.of(RuleGroup.DEFINEDNESS, RuleGroup.MEMORY);
        Finding finding = TinyKernel.of(BODY.formatted("", "", "")).finding(64, 256, others);
        assertThat(finding.notes()).noneMatch(note -> note.message().contains("later"));
    }

    /// Reads its tile in its first launch alone: each run begins with what memory held.
    private static final String ONCE =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .global .align 4 .u32 ran = 0;
            .visible .entry once(.param .u64 out) {
            .reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .pred %p<4>;
            .shared .align 16 .b8 tile[256];
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;
            ld.global.u32 %r8, [ran]; bar.sync 0; @%p1 st.global.u32 [ran], 1;
            setp.ne.u32 %p2, %r8, 0; @%p2 ret;
            mov.u32 %r7, tile; mad.lo.u32 %r2, %r1, 4, %r7; xor.b32 %r3, %r2, 128;
            st.shared.u32 [%r2], %r1;
            ld.shared.u32 %r4, [%r3]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1;
            st.global.u32 [%rd2], %r4;
            ret;
            }
            """;

    private static List<Finding> findings(Machine machine) {
        try (Session session = machine.open(new GlobalMemory(1 << 20, true))) {
            Parsed parsed = Ptx.parse(ONCE, "once.ptx");
            LoadedModule module = session.load(parsed.module(), parsed.source());
            Launch launch = Launch.grid(1).block(64).passing(Argument.poison("out", 256));
            try (MemorySnapshot before =
                    session.memory().snapshot(MemorySnapshot.Cost.upTo(1 << 16))) {
                Outcome outcome =
                        session.launch(module.kernel("once"), launch, Observer.NONE, before);
                return outcome.findings();
            }
        }
    }

    static List<Machine> machines() {
        return List.of(
                Machine.interpreter(), Machine.compiler(), Machine.compiler(new Compilations(0)));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void inASession(Machine machine) {
        Finding finding = findings(machine).getFirst();
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_READ);
        assertThat(finding.notes().getFirst().message()).contains("written only later: store");
    }
}
