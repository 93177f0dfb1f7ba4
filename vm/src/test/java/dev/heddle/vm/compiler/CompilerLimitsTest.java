package dev.heddle.vm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;
import dev.heddle.vm.Outcome;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Step;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

@DisplayName("a compiler that cannot fail")
final class CompilerLimitsTest {
    /// HotSpot compiles no method with more bytes (`-XX:HugeMethodLimit`).
    private static final int HUGE_METHOD = 8_000;

    private static final String CALL =
            """
            .version 8.3
            .target sm_90
            .address_size 64
            .func (.reg .b32 %out) twice(.reg .b32 %in) {
            add.s32 %out, %in, %in;
            ret;
            }
            .visible .entry k(.param .u64 out) {
            .reg .b64 %rd<4>; .reg .b32 %r<4>;
            ld.param.u64 %rd1, [out];
            mov.u32 %r1, 21;
            call (%r2), twice, (%r1);
            st.global.u32 [%rd1], %r2;
            ret;
            }
            """;

    /// Loops and branches around atomics, products of several types, guards: what takes most bytes.
    private static String bulky(int rounds) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < rounds; i++) {
            body.append(
                    """
                    L%1$d:
                    atom.global.add.u32 %%r%2$d, [%%rd1], 1;
                    setp.lt.s32 %%p1, %%r%2$d, 0;
                    @!%%p1 bra M%1$d;
                    @%%p1 fma.rn.f32 %%f1, %%f1, %%f2, 0f3FC01234;
                    @!%%p1 mad.lo.s32 %%r1, %%r%2$d, 77777, 888888;
                    @%%p1 add.f64 %%fd1, %%fd1, 0d3FF0123456789ABC;
                    fns.b32 %%r2, %%r%2$d, %%r1, 1;
                    ld.global.f32 %%f2, [%%rd1+4];
                    @%%p1 bra L%1$d;
                    M%1$d:
                    """
                            .formatted(i, 10 + i));
        }
        return """
        .version 8.3
        .target sm_90
        .address_size 64
        .visible .entry k(.param .u64 out) {
        .reg .b64 %%rd<4>; .reg .b32 %%r<%d>; .reg .pred %%p<4>; .reg .f32 %%f<9>; .reg .f64 %%fd<9>;
        ld.param.u64 %%rd1, [out];
        %s
        st.global.u32 [%%rd1], %%r1;
        st.global.f32 [%%rd1], %%f1;
        st.global.f64 [%%rd1], %%fd1;
        ret;
        }
        """
                .formatted(rounds + 10, body);
    }

    private static Code code(String text) {
        return Kernel.of(text, "k.ptx", "k").code();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("no method is longer than HotSpot compiles")
    void methodsAreShort(boolean vectors) {
        Code code = code(bulky(300));
        assertThat(code.blocks()).hasSizeGreaterThan(600);
        byte[] bytes =
                FunctionCompiler.classFile(code.blocks(), FunctionAnalysis.of(code), vectors);
        ClassModel model = ClassFile.of().parse(bytes);
        assertThat(model.methods()).hasSizeGreaterThan(600);
        for (MethodModel method : model.methods()) {
            int length = method.code().map(found -> ((CodeAttribute) found).codeLength()).orElse(0);
            assertThat(length).as(method.methodName().stringValue()).isLessThan(HUGE_METHOD);
        }
    }

    @Test
    @DisplayName("a piece of the largest size leaves room in the pool of constants")
    void piecesFitTheConstantPool() {
        StringBuilder body = new StringBuilder();
        int pairs = CompiledFunction.PIECE_STEPS / 2;
        for (int i = 0; i < pairs; i++) {
            // Runs of one step each, all with constants of their own.
            body.append("add.s32 %%r%d, %%r1, %d;%n".formatted(2 * i + 2, 100_000 + i));
            body.append("fns.b32 %%r%d, %%r1, %d, 1;%n".formatted(2 * i + 3, 700_000 + i));
        }
        String text =
                ".version 8.3\n.target sm_90\n.address_size 64\n"
                        + ".visible .entry k() {\n.reg .b32 %r<"
                        + (2 * pairs + 4)
                        + ">;\nmov.u32 %r1, %tid.x;\n"
                        + body
                        + stores(2 * pairs + 2)
                        + "ret;\n}\n";
        Code code = code(text);
        byte[] bytes =
                FunctionCompiler.classFile(
                        code.blocks().subList(0, 4), FunctionAnalysis.of(code), true);
        assertThat(ClassFile.of().parse(bytes).constantPool().size()).isBetween(20_000, 60_000);
    }

    /// Reads of all registers behind a branch, where they are in another block.
    private static String stores(int registers) {
        StringBuilder text = new StringBuilder("bra READ;\nOTHER: ret;\nREAD:\n.reg .pred %p;\n");
        text.append("setp.ne.u32 %p, %r1, %r1;\n@%p bra OTHER;\n.shared .b32 s;\n");
        for (int i = 2; i < registers; i++) {
            text.append("st.shared.u32 [s], %%r%d;%n".formatted(i));
        }
        return text.toString();
    }

    private static Outcome run(Compilations compilations, Duration time) {
        Launch launch =
                Launch.of(
                                new Extent(1, 1, 1),
                                new Extent(32, 1, 1),
                                Argument.buffer("out", new byte[4]))
                        .withLimits(new Launch.Bounds(1 << 26, 1 << 16, 1L << 32, time));
        return Machine.compiler(compilations).run(Kernel.of(CALL, "k.ptx", "k"), launch);
    }

    @Test
    @DisplayName("a function that does not compile is interpreted, and the report says so")
    void interpretsWhatDoesNotCompile() {
        Compilations compilations =
                new Compilations(
                        0,
                        (blocks, analysis, vectors) -> {
                            boolean called =
                                    blocks.stream()
                                            .flatMap(block -> block.steps().stream())
                                            .noneMatch(Step.Store.class::isInstance);
                            if (called) {
                                throw new IllegalArgumentException("no room");
                            }
                            return FunctionCompiler.compile(blocks, analysis, vectors);
                        });
        Outcome outcome = run(compilations, Duration.ofSeconds(20));
        assertThat(outcome.findings()).isEmpty();
        assertThat(outcome.ints("out")).containsExactly(42);
        assertThat(outcome.report().interpreted()).containsExactly(Map.entry("twice", "no room"));
    }

    @Test
    @DisplayName("a heap that is full while code is compiled exhausts a resource")
    void saysThatTheHeapIsFull() {
        Outcome outcome =
                run(
                        new Compilations(
                                0,
                                (blocks, analysis, vectors) -> {
                                    throw new OutOfMemoryError("Java heap space");
                                }),
                        Duration.ofSeconds(20));
        assertThat(outcome.findings()).hasSize(1);
        assertThat(outcome.findings().getFirst().verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
        assertThat(outcome.findings().getFirst().message())
                .startsWith("the Java heap is full (Java heap space)");
    }

    @Test
    @DisplayName("time spent compiling is time of the launch")
    void compilesWithinTheTimeLimit() {
        Outcome outcome =
                run(
                        new Compilations(
                                0,
                                (blocks, analysis, vectors) -> {
                                    try {
                                        Thread.sleep(60);
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    return FunctionCompiler.compile(blocks, analysis, vectors);
                                }),
                        Duration.ofMillis(50));
        assertThat(outcome.findings()).hasSize(1);
        assertThat(outcome.findings().getFirst().verdict()).isEqualTo(Verdict.RESOURCE_EXHAUSTED);
    }

    /// Bytes that a walk backwards through one long block takes: a register for each step.
    private static long bytesOfWalk(int steps) {
        StringBuilder body = new StringBuilder();
        for (int i = 1; i <= steps; i++) {
            body.append("add.s32 %%r%d, %%r%d, 1;%n".formatted(i, i - 1));
        }
        Code code =
                code(
                        ".version 8.3\n.target sm_90\n.address_size 64\n"
                                + ".visible .entry k() {\n.reg .b32 %%r<%d>;\n%smov.u32 %%r0, %%r%d;\nret;\n}\n"
                                        .formatted(steps + 1, body, steps));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Liveness liveness = new Liveness(code);
        for (Block block : code.blocks()) {
            Liveness.Point point = liveness.endOf(block);
            block.steps().reversed().forEach(_ -> point.passBack());
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    @DisplayName("liveness takes memory linear in the code")
    void livenessIsLinear() {
        bytesOfWalk(100);
        // The shorter walk first: later the JIT saves objects.
        long half = bytesOfWalk(8_000);
        assertThat(bytesOfWalk(16_000)).isLessThan(5 * half / 2);
    }

    @Test
    @DisplayName("liveness without sets takes no register for dead that is read")
    void livenessWithoutSetsIsSafe() {
        Code code = code(bulky(20));
        Liveness exact = new Liveness(code);
        Liveness coarse = new Liveness(code, 0);
        for (Block block : code.blocks()) {
            Set<Object> read = new HashSet<>();
            Liveness.Point point = exact.endOf(block);
            for (Step step : block.steps().reversed()) {
                step.writes().stream()
                        .filter(point::reads)
                        .forEach(register -> read.add(List.of(step, register)));
                point.passBack();
            }
            Liveness.Point again = coarse.endOf(block);
            for (Step step : block.steps().reversed()) {
                step.writes().stream()
                        .filter(register -> !again.reads(register))
                        .forEach(
                                register ->
                                        assertThat(read).doesNotContain(List.of(step, register)));
                again.passBack();
            }
        }
        BitSet missing = (BitSet) exact.entry().clone();
        missing.andNot(coarse.entry());
        assertThat(missing.isEmpty()).isTrue();
    }
}
