package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.kernel.Places;
import dev.heddle.tensorcore.kernel.Sparsity;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Accumulation.MultiplyAddChain;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.tensorcore.x86.Processor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/// Products by machine code of this processor, beside the exact twin.
final class MachineCodeProductsTest {
    private static final long SEED = 19;

    /// A form, and a generation that has it.
    record Subject(Form form, Generation generation) {
        Accumulation rule() {
            return Numerics.of(form, generation).orElseThrow();
        }

        Unit unit(Speed speed) {
            Places places =
                    new OperandPlacements(form, RegisterOrder.REGISTER_MAJOR)
                            .registers(
                                    0,
                                    Operands.Majors.K,
                                    Operands.ScaleSelector.ZERO,
                                    Operands.ScaleSelector.ZERO);
            return new Unit(form, rule(), places, speed);
        }

        @Override
        public String toString() {
            return "%s on %s".formatted(form, generation);
        }
    }

    /// Forms whose sums are fused, C a term among the others or added last, and of the type of D.
    static Stream<Subject> subjects() {
        Random random = new Random(SEED);
        return Forms.all().stream()
                .filter(form -> form.type(Role.C) == form.type(Role.D))
                .filter(form -> !form.family().warpgroup() || form.shape().n() == 16)
                .flatMap(
                        form ->
                                Stream.of(Generation.values())
                                        .filter(generation -> generation.has(form))
                                        .map(generation -> new Subject(form, generation)))
                .filter(
                        subject ->
                                subject.rule() instanceof FusedSum sum
                                        && sum.fractionBits().isPresent())
                .filter(_ -> random.nextInt(4) == 0);
    }

    /// Forms of f64 that round to the nearest.
    static Stream<Subject> doubles() {
        return Forms.all().stream()
                .filter(form -> form.type(Role.A) == FloatFormat.F64)
                .map(form -> new Subject(form, Generation.SM_90))
                .filter(
                        subject ->
                                subject.rule() instanceof MultiplyAddChain chain
                                        && chain.rounding() == Rounding.NEAREST_EVEN);
    }

    /// Forms of integers and of single bits: all of warps, of each other shape one.
    static Stream<Subject> integers() {
        return Forms.all().stream()
                .filter(form -> form.type(Role.A) instanceof IntegerFormat)
                .filter(form -> !form.family().warpgroup() || form.shape().n() == 24)
                .map(
                        form ->
                                new Subject(
                                        form,
                                        Stream.of(Generation.values())
                                                .filter(generation -> generation.has(form))
                                                .findFirst()
                                                .orElseThrow()));
    }

    @BeforeAll
    static void onThisProcessor() {
        assumeTrue(Processor.runsMachineCode());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void finiteNumbersAreComputedByMachineCodeAndHaveTheBitsOfTheExactTwin(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 3; round++) {
            Operands operands = ProductOperands.operands(subject.form(), random);
            Inputs in = inputs(operands, random.nextBoolean(), random.nextBoolean());
            int[] d = new int[words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            assertThat(machine.runAsMachineCode(in, operands, d)).isTrue();
            assertThat(d).isEqualTo(expected);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void extremeNumbersHaveTheBitsOfTheExactTwinOrAreLeftToOthers(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 12; round++) {
            Operands operands =
                    ProductOperands.operands(
                            subject.form(), random, ProductOperands.extremes(random));
            Inputs in = inputs(operands, true, random.nextBoolean());
            int[] d = new int[words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            if (machine.runAsMachineCode(in, operands, d)) {
                assertThat(d).isEqualTo(expected);
            } else {
                assertThat(d).containsOnly(0);
            }
        }
    }

    @Test
    void aSumThatLeaves32BitsIsLeftToOthers() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Unit unit = new Subject(form, Generation.SM_90).unit(Speed.ADAPTIVE);
        Operands operands =
                ProductOperands.operands(form, new Random(SEED), (_, format) -> format.maxFinite());
        int[] d = new int[words(form)];
        Arrays.fill(operands.c(), Float.floatToRawIntBits(0x1.fp30f));

        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isFalse();
        Arrays.fill(operands.c(), Float.floatToRawIntBits(0x1p25f));
        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isTrue();
    }

    @Test
    void zerosAndATinyAccumulatorAreLeftToOthersAndZerosAloneAreNot() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
        Unit unit = new Subject(form, Generation.SM_90).unit(Speed.ADAPTIVE);
        Operands operands = ProductOperands.operands(form, new Random(SEED), (_, _) -> 0);
        int[] d = new int[words(form)];

        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isTrue();
        operands.c()[5] = 1;
        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isFalse();
        operands.c()[5] = Float.floatToRawIntBits(0x1p-91f);
        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isFalse();
        operands.c()[5] = Float.floatToRawIntBits(-0x1p-90f);
        assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isTrue();
        assertThat(d[5]).isEqualTo(operands.c()[5]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("doubles")
    void doublesAreComputedByMachineCodeUnlessASumIsNoNumber(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 40; round++) {
            ProductOperands.Codes codes =
                    round % 2 == 0
                            ? ProductOperands.extremes(random)
                            : (_, _) -> ProductOperands.bits(random);
            Operands operands = ProductOperands.operands(subject.form(), random, codes);
            Inputs in = inputs(operands, round % 5 != 0, false);
            int[] d = new int[2 * words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            assertThat(machine.runAsMachineCode(in, operands, d)).isTrue();
            assertThat(d).isEqualTo(expected);

            Arrays.fill(d, 7);
            in.a()[5] = 0x7FF0_0000;
            in.a()[4] = round % 2;
            if (round % 2 == 0) {
                Arrays.fill(in.b(), 0);
            }
            assertThat(machine.runAsMachineCode(in, operands, d)).isFalse();
            assertThat(d).containsOnly(7);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("integers")
    void integersAreComputedByMachineCodeAndHaveTheBitsOfTheExactTwin(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 8; round++) {
            Operands operands = ProductOperands.operands(subject.form(), random);
            Inputs in = inputs(operands, round != 0, false);
            int[] d = new int[words(subject.form())];
            int[] expected = expected(exact, in, operands, d.length);

            assertThat(machine.runAsMachineCode(in, operands, d)).isTrue();
            assertThat(d).isEqualTo(expected);
        }
    }

    @Test
    void undefinedMetadataOfIntegersAreLeftToOthersAndNothingIsWritten() {
        Form form = Form.of("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32");
        Unit unit = new Subject(form, Generation.SM_80).unit(Speed.ADAPTIVE);
        Operands operands = ProductOperands.operands(form, new Random(SEED));
        int[] d = new int[words(form)];
        Arrays.fill(d, 7);
        for (int nibble : new int[] {0, 1, 5, 15}) {
            int before = operands.metadata()[9];
            operands.metadata()[9] = before & ~0xf000 | nibble << 12;
            assertThat(unit.runAsMachineCode(inputs(operands, true, false), operands, d)).isFalse();
            operands.metadata()[9] = before;
        }

        assertThat(d).containsOnly(7);
    }

    @Test
    void anInfinityAndUndefinedMetadataAreLeftToOthersAndNothingIsWritten() {
        Form form =
                Form.of("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
        Unit unit = new Subject(form, Generation.SM_80).unit(Speed.ADAPTIVE);
        Random random = new Random(SEED);
        Operands operands = ProductOperands.operands(form, random);
        Inputs in = inputs(operands, true, false);
        int[] d = new int[words(form)];
        Arrays.fill(d, 7);
        int before = in.a()[5];

        in.a()[5] = 0x7c00;
        assertThat(unit.runAsMachineCode(in, operands, d)).isFalse();
        in.a()[5] = before;
        Arrays.fill(operands.metadata(), 0x4440_0000);
        assertThat(unit.runAsMachineCode(in, operands, d)).isFalse();

        assertThat(d).containsOnly(7);
    }

    @Test
    void whereCIsAddedLastItMayBeInfiniteAndANanIsLeftToOthers() {
        Form form = Form.of("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
        Subject subject = new Subject(form, Generation.SM_90);
        Inputs in = inputs(ProductOperands.operands(form, new Random(SEED)), true, false);
        int[] d = new int[words(form)];
        int[] expected = new int[d.length];

        in.c()[9] = 0xff80_0000;
        subject.unit(Speed.EXACT).kernel().run(in, expected);
        Operands unused = ProductOperands.operands(form, new Random(SEED));
        assertThat(subject.unit(Speed.ADAPTIVE).runAsMachineCode(in, unused, d)).isTrue();
        assertThat(d).isEqualTo(expected).contains(0xff80_0000);
        Arrays.fill(d, 7);
        in.c()[9] = 0x7fc0_0001;
        assertThat(subject.unit(Speed.ADAPTIVE).runAsMachineCode(in, unused, d)).isFalse();
        assertThat(d).containsOnly(7);
    }

    /// The words of D by the exact twin.
    ///
    /// @param count how many
    static int[] expected(Unit exact, Inputs in, Operands operands, int count) {
        int[] d = new int[count];
        exact.sparsity().ifPresent(each -> read(each, operands));
        exact.kernel().run(in, d);
        return d;
    }

    private static void read(Sparsity sparsity, Operands operands) {
        assertThat(sparsity.read(operands.metadata(), operands.selector())).isTrue();
    }

    static int words(Form form) {
        return form.fragment(Role.D).lanes() * form.fragment(Role.D).registers();
    }

    private static Inputs inputs(Operands operands, boolean accumulate, boolean negate) {
        return new Inputs(
                operands.a(),
                operands.b(),
                operands.c(),
                accumulate,
                negate,
                new int[0],
                new int[0]);
    }
}
