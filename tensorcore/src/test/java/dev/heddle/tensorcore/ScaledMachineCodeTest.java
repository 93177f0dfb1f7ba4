package dev.heddle.tensorcore;

import static dev.heddle.tensorcore.MachineCodeProductsTest.expected;
import static dev.heddle.tensorcore.MachineCodeProductsTest.words;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.tensorcore.MachineCodeProductsTest.Subject;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Accumulation.ScaledSum;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.x86.Processor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/// Block-scaled products by machine code of this processor, beside the exact twin.
final class ScaledMachineCodeTest {
    private static final long SEED = 19;

    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode());
    }

    /// Forms with scale factors, whose terms are single products, or sums of several.
    private static Stream<Subject> scaled(boolean many) {
        return Forms.all().stream()
                .filter(Form::blockScaled)
                .map(form -> new Subject(form, Generation.SM_120))
                .filter(
                        subject ->
                                subject.rule() instanceof ScaledSum sum
                                        && sum.productsPerTerm() > 1 == many);
    }

    static Stream<Subject> scaled() {
        return scaled(false);
    }

    static Stream<Subject> scaledTogether() {
        return scaled(true);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scaled")
    void scaledProductsHaveTheBitsOfTheExactTwinUnlessAFactorIsExtreme(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 20; round++) {
            int spread = round % 4 == 0 ? 61 : 12;
            Operands operands =
                    round % 2 == 0
                            ? ProductOperands.operands(subject.form(), random)
                            : ProductOperands.operands(
                                    subject.form(), random, ProductOperands.extremes(random));
            Inputs in =
                    scaledInputs(
                            operands,
                            random.nextBoolean(),
                            factors(random, 127 - spread, 128 + spread),
                            factors(random, 127 - spread, 128 + spread));
            int[] d = new int[words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            boolean done = machine.runAsMachineCode(in, operands, d);
            assertThat(done || round % 4 != 2).isTrue();
            assertThat(d).isEqualTo(done ? expected : new int[d.length]);

            Arrays.fill(in.scaleB(), round % 2 == 0 ? -1 : 0x0505_0505);
            assertThat(machine.runAsMachineCode(in, operands, d)).isFalse();
        }
    }

    /// Of sixteen products together, with codes of factors from all over their formats, and C from
    /// nothing to far above the terms.
    @ParameterizedTest(name = "{0}")
    @MethodSource("scaledTogether")
    void sumsOfScaledProductsHaveTheBitsOfTheExactTwin(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        boolean powers =
                subject.form().scaleFactors(Role.A).orElseThrow().format() == FloatFormat.UE8M0;
        for (int round = 0; round < 60; round++) {
            Operands operands =
                    ProductOperands.operands(
                            subject.form(), random, (_, format) -> code(format, random));
            int least = powers ? 105 : 0;
            int end = powers ? 150 : 0x7f;
            Inputs in =
                    scaledInputs(
                            operands,
                            round % 5 != 0,
                            factors(random, least, end),
                            factors(random, least, end));
            int[] d = new int[words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            assertThat(machine.runAsMachineCode(in, operands, d)).isTrue();
            assertThat(d).isEqualTo(expected);
        }
    }

    /// A kernel's machine code calls it for any selectors of the table, and for no others.
    @Test
    void machineCodeIsThereForTheSelectorsOfTheTable() {
        for (Subject subject : Stream.concat(scaled(), scaledTogether()).toList()) {
            TensorCore core =
                    TensorCore.of(subject.form(), subject.generation())
                            .withOrder(RegisterOrder.WARP_MAJOR);
            for (int id = 0; id < 16; id++) {
                Operands.ScaleSelector select = new Operands.ScaleSelector(id / 4, id % 4);
                for (Role role : new Role[] {Role.A, Role.B}) {
                    ScaleFactors factors = subject.form().scaleFactors(role).orElseThrow();
                    boolean isInTable =
                            factors.byteIds().contains(id / 4)
                                    && factors.threadIds().contains(id % 4);
                    Operands.ScaleSelector zero = Operands.ScaleSelector.ZERO;
                    assertThat(
                                    role == Role.A
                                            ? core.function(select, zero)
                                            : core.function(zero, select))
                            .matches(found -> found.isPresent() == isInTable);
                }
            }
        }
    }

    /// A bit pattern; of f32, one with an exponent of about those of the terms, or zero.
    private static long code(FloatFormat format, Random random) {
        if (format != FloatFormat.F32) {
            return random.nextLong() & format.mask();
        }
        int exponent = 127 + random.nextInt(-60, 60);
        return random.nextInt(8) == 0 ? 0 : random.nextInt() & 0x807f_ffffL | (long) exponent << 23;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scaledTogether")
    void aFactorOrAnAccumulatorThatIsNoNumberOrTooSmallIsLeftToOthers(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        boolean powers =
                subject.form().scaleFactors(Role.A).orElseThrow().format() == FloatFormat.UE8M0;
        Operands operands = ProductOperands.operands(subject.form(), random);
        Inputs in = scaledInputs(operands, true, new int[32], new int[32]);
        int[] d = new int[words(subject.form())];
        int one = powers ? 0x7f7f_7f7f : 0x3838_3838;
        for (int[] words : new int[][] {in.scaleA(), in.scaleB()}) {
            Arrays.fill(in.scaleA(), one);
            Arrays.fill(in.scaleB(), one);
            Arrays.fill(d, 7);
            Arrays.fill(words, -1);
            assertThat(machine.runAsMachineCode(in, operands, d)).isFalse();
            Arrays.fill(words, 0);
            assertThat(machine.runAsMachineCode(in, operands, d)).isEqualTo(!powers);
            Arrays.fill(words, one);
            Arrays.fill(d, 7);
            for (int c : new int[] {0x7f80_0000, 0x7fc0_0001, 0x7e80_0000}) {
                in.c()[9] = c;
                assertThat(machine.runAsMachineCode(in, operands, d)).isFalse();
            }
            in.c()[9] = 0;
            assertThat(d).containsOnly(7);
        }
    }

    private static Inputs scaledInputs(
            Operands operands, boolean accumulate, int[] scaleA, int[] scaleB) {
        return new Inputs(
                operands.a(), operands.b(), operands.c(), accumulate, false, scaleA, scaleB);
    }

    /// Words of four codes of factors.
    private static int[] factors(Random random, int least, int end) {
        int[] words = new int[32];
        for (int at = 0; at < 4 * words.length; at++) {
            words[at / 4] |= random.nextInt(least, end) << at % 4 * Byte.SIZE;
        }
        return words;
    }
}
