package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.EnumSet;
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
}
