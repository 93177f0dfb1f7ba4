package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// A kernel of a few lines, run by both executors, with checks and without, which must agree.
///
/// `%rd1` holds the address of the only buffer, `%r1` the thread's number in its CTA.
final class TinyKernel {
    private static final List<Machine> MACHINES =
            List.of(
                    Machine.interpreter(),
                    Machine.compiler(),
                    Machine.compiler(new Compilations(0)));

    /// What never ends is ended by its instructions: time says nothing on a busy machine.
    private static final Launch.Bounds BOUNDS =
            new Launch.Bounds(1 << 26, 1 << 16, 1L << 32, Duration.ofMinutes(10));

    private final String text;

    private TinyKernel(String text) {
        this.text = text;
    }

    /// The same kernel for another target.
    ///
    /// @param version of PTX ISA
    TinyKernel on(String target, String version) {
        return new TinyKernel(
                text.replace(".version 8.3", ".version " + version)
                        .replace(".target sm_90", ".target " + target));
    }

    /// The same kernel with performance directives.
    TinyKernel with(String directives) {
        return new TinyKernel(
                text.replace("(.param .u64 out) {", "(.param .u64 out) " + directives + " {"));
    }

    static TinyKernel of(String body) {
        return of("", body);
    }

    /// A kernel behind declarations of the module.
    static TinyKernel of(String module, String body) {
        return new TinyKernel(
                """
                .version 8.3
                .target sm_90
                .address_size 64
                %s
                .visible .entry k(.param .u64 out) {
                .reg .b128 %%q<9>; .reg .b64 %%rd<19>; .reg .f64 %%fd<9>; .reg .b32 %%r<29>;
                .reg .f32 %%f<19>; .reg .b16 %%h<19>; .reg .pred %%p<9>;
                .shared .align 16 .b8 tile[256];
                .local .align 16 .b8 depot[32]; .reg .b8 %%b<9>;
                ld.param.u64 %%rd1, [out];
                mov.u32 %%r1, %%tid.x;
                %s
                ret;
                }
                """
                        .formatted(module, body));
    }

    private Kernel kernel() {
        return Kernel.of(text, "k.ptx", "k");
    }

    private static Launch launch(int threads, byte[] bytes, Set<RuleGroup> checks) {
        return Launch.of(
                        new Extent(1, 1, 1),
                        new Extent(threads, 1, 1),
                        Argument.buffer("out", bytes))
                .withLimits(BOUNDS)
                .withChecks(checks);
    }

    /// The buffer after a run that nothing was found in.
    byte[] run(int threads, byte[] bytes) {
        byte[] first = null;
        for (Set<RuleGroup> checks : List.of(RuleGroup.CHECKS, Set.<RuleGroup>of())) {
            for (Machine machine : MACHINES) {
                Kernel kernel = kernel();
                Outcome outcome = machine.run(kernel, launch(threads, bytes, checks));
                assertThat(outcome.findings().stream().map(f -> f.text(kernel.source()::line)))
                        .isEmpty();
                byte[] result = outcome.buffer("out");
                if (first == null) {
                    first = result;
                }
                assertThat(result).as("%s, checks %s", machine, checks).isEqualTo(first);
            }
        }
        return first == null ? bytes : first;
    }

    /// The same, of words.
    int[] run(int threads, int... words) {
        return words(run(threads, bytes(words)));
    }

    /// The words after a run of one machine without checks.
    int[] runUnchecked(Machine machine, int threads, int... words) {
        Outcome outcome = machine.run(kernel(), launch(threads, bytes(words), Set.of()));
        assertThat(outcome.findings()).isEmpty();
        return words(outcome.buffer("out"));
    }

    private static byte[] bytes(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }

    private static int[] words(byte[] bytes) {
        int[] words = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
        return words;
    }

    /// The same, of 64-bit words.
    long[] run(int threads, long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        LongBuffer result =
                ByteBuffer.wrap(run(threads, bytes.array()))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer();
        long[] all = new long[words.length];
        result.get(all);
        return all;
    }

    /// What both executors find, with checks on.
    Finding finding(int threads, int bytes) {
        return finding(threads, bytes, RuleGroup.CHECKS);
    }

    /// The same, with some checks.
    Finding finding(int threads, int bytes, Set<RuleGroup> checks) {
        Finding first = null;
        for (Machine machine : MACHINES) {
            Outcome outcome = machine.run(kernel(), launch(threads, new byte[bytes], checks));
            assertThat(outcome.findings()).as("%s", machine).hasSize(1);
            Finding found = outcome.findings().getFirst();
            if (first != null) {
                assertThat(found.message()).isEqualTo(first.message());
            }
            first = found;
        }
        if (first == null) {
            throw new IllegalStateException("no machine");
        }
        return first;
    }
}
