package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.rule.Example;
import dev.heddle.isa.rule.Explanation;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.check.Check;
import dev.heddle.ptx.check.CheckReport;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.TexelFormat.Channel;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Every rule has a wrong example that breaks it and nothing else, seen in the text or while it
/// runs, and a right example that breaks nothing.
@DisplayName("the examples of the rules")
final class RuleExamplesTest {
    // What a program does wrong, not a kernel: their examples are run where programs are.
    private static final String OF_STREAMS = "UNORDERED_STREAMS";
    private static final String OF_EARLY_LAUNCHES = "PREREQUISITE_NOT_AWAITED";
    private static final String OF_COPIES = "UNWRITTEN_COPY";
    private static final String OF_LAUNCHES = "UNFOLLOWED_VALUE";

    private static final int BYTES = 4096;
    private static final Launch.Bounds BOUNDS =
            new Launch.Bounds(1 << 22, 1 << 16, 1 << 26, Duration.ofSeconds(20));

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {OF_STREAMS, OF_EARLY_LAUNCHES, OF_COPIES, OF_LAUNCHES})
    void wrongBreaksTheRule(Rule rule) {
        Example wrong = Explanation.of(rule).wrong();
        List<Rule> broken = broken(wrong);
        if (rule == Rule.TOO_MANY_FINDINGS) {
            broken.remove(Rule.SYNTAX_ERROR);
        }
        assertThat(broken).as(wrong.lines()).containsExactly(rule);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {OF_STREAMS, OF_EARLY_LAUNCHES, OF_COPIES, OF_LAUNCHES})
    void rightBreaksNone(Rule rule) {
        Example right = Explanation.of(rule).right();
        assertThat(broken(right)).as(right.lines()).isEmpty();
    }

    /// What the checker says, and where it says nothing, what the machine says.
    private static List<Rule> broken(Example example) {
        CheckReport report = Check.text(example.module(), "example.ptx");
        if (!report.findings().isEmpty()) {
            return new ArrayList<>(
                    report.findings().stream().map(Diagnostic::rule).distinct().toList());
        }
        if (!example.module().contains(".entry kernel")) {
            return List.of();
        }
        Kernel kernel = Kernel.of(example.module(), "example.ptx", "kernel");
        Outcome outcome = Machine.interpreter().run(kernel, launch(example, kernel));
        return Stream.concat(outcome.findings().stream(), outcome.warnings().stream())
                .map(Finding::rule)
                .toList();
    }

    private static Launch launch(Example example, Kernel kernel) {
        List<Argument> arguments =
                List.of(
                        Argument.zeros("out", BYTES),
                        Argument.buffer("in", new byte[BYTES]),
                        map(),
                        surface());
        int count = kernel.code().parameters().size();
        List<Argument> passed = new ArrayList<>(arguments.subList(0, count));
        return Launch.of(
                        new Extent(example.ctas(), 1, 1),
                        new Extent(example.threads(), 1, 1),
                        passed.toArray(Argument[]::new))
                .cluster(example.ctas(), 1, 1)
                .withLimits(BOUNDS);
    }

    private static Argument.Surface surface() {
        TexelFormat words = new TexelFormat(Channel.U32, 1);
        return new Argument.Surface(
                new Argument.Texels(
                        new Argument.Address("in", 0), words, 256, 0, 0, Layering.NONE));
    }

    private static Argument.TensorMap map() {
        return new Argument.TensorMap(
                new Argument.Address("in", 0),
                FloatFormat.F32,
                List.of(32L, 8L, 4L),
                List.of(128L, 1024L),
                List.of(8, 8, 1),
                List.of(1, 1, 1),
                0,
                0,
                Argument.TensorMap.Fill.ZERO);
    }
}
