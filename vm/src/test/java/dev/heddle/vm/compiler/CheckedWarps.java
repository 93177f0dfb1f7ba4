package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.tensorcore.x86.Processor;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Observer;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Extent;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Kernels with checks in the machine code of warps, beside the interpreter.
final class CheckedWarps {
    private static final long FIRST_SEED = Long.getLong("heddle.seed", 0);

    private CheckedWarps() {}

    /// A module with one kernel, `k`, of two buffers: %rd1 is `in`, %rd2 is `out`; %r1 the thread,
    /// %r2 its CTA of 64, %r3 its lane, %r6 its number in the grid; %r10 to %r13 and %rd12 values;
    /// `%p1` holds in twenty lanes. A vote keeps whole CTAs out of machine code.
    ///
    /// @param addresses what is computed besides, before the body
    static String module(String addresses, String body) {
        return """
        .version 8.0
        .target sm_80
        .address_size 64
        .visible .entry k(.param .u64 in, .param .u64 out)
        {
            .reg .pred %p<9>;
            .reg .b32 %r<40>;
            .reg .b64 %rd<20>;
            ld.param.u64 %rd1, [in];
            ld.param.u64 %rd2, [out];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %ctaid.x;
            and.b32 %r3, %r1, 31;
            mad.lo.u32 %r6, %r2, 64, %r1;
            mov.u32 %r10, %r6;
            mov.u32 %r11, 5;
            mov.u32 %r12, 6;
            mov.u32 %r13, 7;
            cvt.u64.u32 %rd12, %r6;
            setp.lt.u32 %p1, %r3, 20;
            vote.sync.any.pred %p4, %p1, 0xffffffff;
            ADDRESSES
            BODY
            ret;
        }
        """
                .replace("ADDRESSES", addresses)
                .replace("BODY", body);
    }

    /// Tries random kernels: 400, or as many as `-Dheddle.NAME=N` says, from `-Dheddle.seed=S` on.
    /// Many are clean, and many are not.
    static void random(String name, Function<Random, Outcome> agree) {
        int kernels = Integer.getInteger("heddle." + name, 400);
        int clean = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + kernels; seed++) {
            clean += agree.apply(new Random(seed)).isClean() ? 1 : 0;
        }
        assertThat(clean).isBetween(kernels / 6, kernels * 5 / 6);
    }

    /// `.v2` or `.v4` where it takes several words to make so many bytes.
    static String vector(int bytes) {
        return bytes == 4 ? "" : bytes == 8 ? ".v2" : ".v4";
    }

    /// As many registers as make so many bytes: `{%r10,%r11}`.
    static String registers(int first, int bytes) {
        String all =
                IntStream.range(first, first + bytes / 4)
                        .mapToObj(number -> "%r" + number)
                        .collect(Collectors.joining(","));
        return bytes == 4 ? all : "{" + all + "}";
    }

    /// The same of a kernel with 16 bytes of `in` and of `out` for each thread.
    static Outcome agree(String text, int ctas, int threads) {
        int bytes = 16 * ctas * threads;
        Launch launch =
                Launch.of(
                        new Extent(ctas, 1, 1),
                        new Extent(threads, 1, 1),
                        Argument.buffer("in", new byte[bytes]),
                        Argument.poison("out", bytes));
        return agree(text, launch, List.of("out"));
    }

    /// Findings, warnings and buffers are the same, and again in a later launch; where nothing is
    /// wrong, so is what was counted, and three workers find nothing either.
    ///
    /// @param text of a module with one kernel, `k`
    static Outcome agree(String text, Launch launch, List<String> buffers) {
        assumeTrue(Processor.runsMachineCode(), "needs AVX-512 or AVX2");
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        Launch one = launch.withChecks(RuleGroup.CHECKS).withThreads(1);
        Runs slow = new Runs();
        Outcome expected = Machine.interpreter().run(kernel, one, slow);
        Machine compiler = Machine.compiler(new Compilations(0));
        Runs fast = new Runs();
        Outcome found = compiler.run(kernel, one, fast);
        assertThat(fast.count.get()).as(text).isEqualTo(slow.count.get());
        assertThat(found.findings().toString()).as(text).isEqualTo(expected.findings().toString());
        assertThat(found.warnings().toString()).as(text).isEqualTo(expected.warnings().toString());
        requireSame(found, expected, text, buffers);
        Outcome again = compiler.run(kernel, one);
        assertThat(again.found()).as(text).isEqualTo(found.found());
        requireSame(again, expected, text, buffers);
        if (expected.isClean()) {
            assertThat(found.report().instructions()).isEqualTo(expected.report().instructions());
            Outcome shared = Machine.compiler(new Compilations(0)).run(kernel, one.withThreads(3));
            // Where so much races that it is forgotten, their order decides what memory has.
            assertThat(shared.findings()).as(text).isEmpty();
        }
        return expected;
    }

    /// Counts runs: a second one, of the interpreter, would hide what machine code finds falsely.
    static final class Runs implements Observer {
        final AtomicInteger count = new AtomicInteger();

        @Override
        public void ended(long done, long total) {
            if (done == 0) {
                count.incrementAndGet();
            }
        }
    }

    private static void requireSame(
            Outcome found, Outcome expected, String text, List<String> buffers) {
        for (String buffer : buffers) {
            assertThat(found.buffer(buffer)).as(text).isEqualTo(expected.buffer(buffer));
        }
    }
}
