package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.Parsed;
import dev.heddle.ptx.Ptx;
import dev.heddle.vm.memory.Footprint;
import dev.heddle.vm.memory.Footprint.Run;
import dev.heddle.vm.memory.GlobalMemory;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

@DisplayName("An observer hears what a launch accessed of global memory, byte for byte")
final class AccessedMemoryTest {
    /// Two CTAs of 64 threads on 4096 bytes. `r` and `w` are weak, `R` and `W` strong for the
    /// device. What a thread itself reads before or behind its write is not told apart from it.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "st.global.u32 [%rd2], %r1;                              | 0..511 w",
                "ld.global.u32 %r3, [%rd2];                              | 0..511 r",
                "ld.global.nc.u32 %r3, [%rd2];                           | 0..511 r",
                "ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd2], %r3;   | 0..511 w",
                "st.global.u32 [%rd2], %r1; ld.global.u32 %r3, [%rd2];   | 0..511 w",
                "st.global.u8 [%rd3+3], %r1;                             | 3..130 w",
                "@%p1 st.global.u8 [%rd3+5], %r1;                        | 5..5 w",
                "@%p1 st.global.u16 [%rd3+6], %r1; @%p1 ld.global.u8 %r3, [%rd3+9];"
                        + " | 6..7 w, 9..9 r",
                "st.global.v4.u32 [%rd4], {%r1, %r1, %r1, %r1};          | 0..2047 w",
                "ld.global.u32 %r3, [%rd1+8];                            | 8..11 r",
                "ld.global.u32 %r3, [%rd1]; st.global.u8 [%rd3+40], %r1; | 0..3 r, 40..167 w",
                "red.global.add.u32 [%rd1+4], %r1;                       | 4..7 W",
                "atom.global.add.u32 %r3, [%rd1+4], %r1;                 | 4..7 W",
                "@%p1 red.cta.global.add.u32 [%rd1+4], %r1;              | 4..7 w",
                "@%p1 st.volatile.global.u32 [%rd1], %r1;                | 0..3 W",
                "ld.volatile.global.u32 %r3, [%rd1];                     | 0..3 R",
                "ld.acquire.gpu.global.u32 %r3, [%rd1];                  | 0..3 R",
                "@%p1 ld.acquire.cta.global.u32 %r3, [%rd1];             | 0..3 r",
                "ld.global.u32 %r3, [%rd1]; ld.volatile.global.u32 %r3, [%rd1]; | 0..3 rR",
            })
    void byteForByte(String lines, String expected) {
        assertThat(accessed(Machine.interpreter(), lines)).isEqualTo(expected);
        assertThat(accessed(Machine.compiler(), lines)).isEqualTo(expected);
    }

    private static String accessed(Machine machine, String lines) {
        Parsed parsed = Ptx.parse(kernel(lines), "accessed.ptx");
        List<Footprint> footprints = new ArrayList<>();
        Observer observer =
                new Observer() {
                    @Override
                    public void accessed(Supplier<Footprint> footprint) {
                        footprints.add(footprint.get());
                    }
                };
        try (Session session = machine.open(new GlobalMemory(1 << 20, true))) {
            Kernel kernel =
                    session.load(Objects.requireNonNull(parsed.module()), parsed.source())
                            .kernel("kernel");
            Outcome outcome =
                    session.launch(
                            kernel,
                            Launch.grid(2).block(64).passing(Argument.zeros("out", 4096)),
                            observer);
            assertThat(outcome.findings()).isEmpty();
            assertThat(footprints).hasSize(1);
            return text(footprints.getFirst(), session.buffer("out").address());
        }
    }

    private static String text(Footprint footprint, long base) {
        String[] bytes = new String[4097];
        for (Run run : footprint.runs()) {
            for (long at = run.from() - base; at < run.to() - base; at++) {
                bytes[(int) at] = ways(run.ways());
            }
        }
        List<String> runs = new ArrayList<>();
        for (int at = 0; at < 4096; ) {
            int end = at;
            while (end < 4096 && Objects.equals(bytes[end], bytes[at])) {
                end++;
            }
            if (bytes[at] != null) {
                runs.add("%d..%d %s".formatted(at, end - 1, bytes[at]));
            }
            at = end;
        }
        return String.join(", ", runs);
    }

    private static String ways(int ways) {
        return ((ways & Footprint.WEAK_READS) != 0 ? "r" : "")
                + ((ways & Footprint.STRONG_READS) != 0 ? "R" : "")
                + ((ways & Footprint.WEAK_WRITES) != 0 ? "w" : "")
                + ((ways & Footprint.STRONG_WRITES) != 0 ? "W" : "");
    }

    private static String kernel(String lines) {
        return """
        .version 8.0
        .target sm_80
        .address_size 64
        .visible .entry kernel(.param .u64 out) {
            .reg .b32 %%r<8>;
            .reg .b64 %%rd<8>;
            .reg .pred %%p<2>;
            ld.param.u64 %%rd1, [out];
            mov.u32 %%r1, %%tid.x;
            mov.u32 %%r2, %%ctaid.x;
            mad.lo.u32 %%r2, %%r2, 64, %%r1;
            mul.wide.u32 %%rd2, %%r2, 4;
            add.u64 %%rd2, %%rd1, %%rd2;
            mul.wide.u32 %%rd3, %%r2, 1;
            add.u64 %%rd3, %%rd1, %%rd3;
            mul.wide.u32 %%rd4, %%r2, 16;
            add.u64 %%rd4, %%rd1, %%rd4;
            setp.eq.u32 %%p1, %%r2, 0;
            %s
            ret;
        }
        """
                .formatted(lines);
    }
}
