package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.compiler.Compilations;
import dev.heddle.vm.ir.Extent;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Set;

@DisplayName("kernels far larger than a class file")
final class LargeKernelsTest {
    private static final int THREADS = 32;

    /// What a kernel computes in each thread, from the number of the thread.
    private interface Expected {
        int of(int thread);
    }

    private static String kernel(int registers, String body) {
        return """
        .version 8.3
        .target sm_90
        .address_size 64
        .visible .entry k(.param .u64 out) {
        .reg .b64 %%rd<4>; .reg .b32 %%r<%d>; .reg .pred %%p<4>;
        ld.param.u64 %%rd1, [out];
        mov.u32 %%r0, %%tid.x;
        mul.wide.u32 %%rd2, %%r0, 4;
        add.u64 %%rd1, %%rd1, %%rd2;
        mov.u32 %%r1, %%r0;
        %s
        ret;
        }
        """
                .formatted(registers, body);
    }

    private static void run(String text, Machine machine, boolean checked, Expected word) {
        Kernel kernel = Kernel.of(text, "k.ptx", "k");
        Launch launch =
                Launch.of(
                                new Extent(1, 1, 1),
                                new Extent(THREADS, 1, 1),
                                Argument.buffer("out", new byte[4 * THREADS]))
                        .withLimits(
                                new Launch.Bounds(
                                        1 << 28, 1 << 16, 1L << 32, Duration.ofSeconds(30)))
                        .withChecks(checked ? RuleGroup.CHECKS : Set.of());
        Outcome outcome = machine.run(kernel, launch);
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.report().interpreted()).isEmpty();
        int[] words = outcome.ints("out");
        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(words[thread]).as("thread %d", thread).isEqualTo(word.of(thread));
        }
    }

    private static Machine machine(String name) {
        return switch (name) {
            case "interpreter" -> Machine.interpreter();
            case "vectors" -> Machine.compiler(new Compilations(0));
            default -> Machine.compiler();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "60000, vectors, true",
        "60000, compiler, false",
        "200000, interpreter, false",
        "200000, compiler, true"
    })
    @DisplayName("straight-line code, a register for each value")
    void straightLines(int instructions, String machine, boolean checked) {
        String body =
                straightLine(instructions)
                        + "st.global.u32 [%%rd1], %%r%d;%n".formatted(instructions + 1);
        int added = added(instructions);
        run(kernel(instructions + 2, body), machine(machine), checked, thread -> thread + added);
    }

    @Test
    @DisplayName("straight-line code of a function that is called: bytecode on any processor")
    void straightLinesOfACall() {
        int instructions = 60_000;
        String function =
                ".func (.reg .b32 %%sum) far(.reg .b32 %%first) {%n.reg .b32 %%r<%d>;%n"
                                .formatted(instructions + 2)
                        + "mov.b32 %r1, %first;\n"
                        + straightLine(instructions)
                        + "mov.b32 %%sum, %%r%d;%nret;%n}%n".formatted(instructions + 1);
        // A piece is compiled once it has run some times.
        String calls =
                """
                mov.u32 %r3, 0;
                AGAIN:
                call (%r2), far, (%r1);
                add.u32 %r3, %r3, 1;
                setp.lt.u32 %p1, %r3, 12;
                @%p1 bra AGAIN;
                st.global.u32 [%rd1], %r2;
                """;
        String kernel = kernel(4, calls).replace(".visible .entry", function + ".visible .entry");
        int added = added(instructions);
        run(kernel, machine("vectors"), false, thread -> thread + added);
    }

    /// Instructions, each of the register before it: by turns what vectors know, and what they do
    /// not.
    private static String straightLine(int instructions) {
        StringBuilder body = new StringBuilder();
        for (int i = 1; i <= instructions; i++) {
            body.append(
                    i % 3 == 0
                            ? "bfe.u32 %%r%d, %%r%d, 0, 32;%n".formatted(i + 1, i)
                            : "add.s32 %%r%d, %%r%d, %d;%n".formatted(i + 1, i, i % 7));
        }
        return body.toString();
    }

    private static int added(int instructions) {
        int sum = 0;
        for (int i = 1; i <= instructions; i++) {
            sum += i % 3 == 0 ? 0 : i % 7;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"interpreter, false", "compiler, true"})
    @DisplayName("so many branches and registers that sets of both are too large")
    void branches(String machine, boolean checked) {
        int branches = 40_000;
        StringBuilder body = new StringBuilder();
        for (int i = 1; i <= branches; i++) {
            body.append("setp.lt.s32 %%p1, %%r0, %d;%n".formatted(i % 40));
            body.append("mov.u32 %%r%d, %%r%d;%n@%%p1 bra L%d;%n".formatted(i + 1, i, i));
            body.append("add.s32 %%r%d, %%r%d, 1;%nL%d:%n".formatted(i + 1, i + 1, i));
        }
        body.append("st.global.u32 [%%rd1], %%r%d;%n".formatted(branches + 1));
        run(
                kernel(branches + 2, body.toString()),
                machine(machine),
                checked,
                thread -> {
                    int sum = thread;
                    for (int i = 1; i <= branches; i++) {
                        sum += thread < i % 40 ? 0 : 1;
                    }
                    return sum;
                });
    }
}
