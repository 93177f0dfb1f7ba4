package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Overflow;
import dev.heddle.formats.Rounding;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.kernel.Inputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.kernel.Places;
import dev.heddle.tensorcore.kernel.Sparsity;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Accumulation.FusedSum;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;
import dev.heddle.tensorcore.x86.Processor;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.Optional;
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

    /// Forms of integers of four and eight bits: all of warps, of each other shape one.
    static Stream<Subject> integers() {
        return Forms.all().stream()
                .filter(
                        form ->
                                form.type(Role.A) instanceof IntegerFormat format
                                        && format.bits() > 1)
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
            Operands operands = operands(subject.form(), random);
            Inputs in = inputs(operands, random.nextBoolean(), random.nextBoolean());
            int[] d = new int[words(subject.form())];
            int[] expected = new int[d.length];
            exact.sparsity().ifPresent(each -> read(each, operands));
            exact.kernel().run(in, expected);

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
            Operands operands = operands(subject.form(), random, extremes(random));
            Inputs in = inputs(operands, true, random.nextBoolean());
            int[] d = new int[words(subject.form())];
            int[] expected = new int[d.length];
            exact.sparsity().ifPresent(each -> read(each, operands));
            exact.kernel().run(in, expected);

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
        Operands operands = operands(form, new Random(SEED), (_, format) -> format.maxFinite());
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
        Operands operands = operands(form, new Random(SEED), (_, _) -> 0);
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
    @MethodSource("integers")
    void integersAreComputedByMachineCodeAndHaveTheBitsOfTheExactTwin(Subject subject) {
        Random random = new Random(SEED);
        Unit machine = subject.unit(Speed.ADAPTIVE);
        Unit exact = subject.unit(Speed.EXACT);
        for (int round = 0; round < 8; round++) {
            Operands operands = operands(subject.form(), random);
            Inputs in = inputs(operands, round != 0, false);
            int[] d = new int[words(subject.form())];
            int[] expected = new int[d.length];
            exact.sparsity().ifPresent(each -> read(each, operands));
            exact.kernel().run(in, expected);

            assertThat(machine.runAsMachineCode(in, operands, d)).isTrue();
            assertThat(d).isEqualTo(expected);
        }
    }

    @Test
    void undefinedMetadataOfIntegersAreLeftToOthersAndNothingIsWritten() {
        Form form = Form.of("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32");
        Unit unit = new Subject(form, Generation.SM_80).unit(Speed.ADAPTIVE);
        Operands operands = operands(form, new Random(SEED));
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
        Operands operands = operands(form, random);
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
        Inputs in = inputs(operands(form, new Random(SEED)), true, false);
        int[] d = new int[words(form)];
        int[] expected = new int[d.length];

        in.c()[9] = 0xff80_0000;
        subject.unit(Speed.EXACT).kernel().run(in, expected);
        Operands unused = operands(form, new Random(SEED));
        assertThat(subject.unit(Speed.ADAPTIVE).runAsMachineCode(in, unused, d)).isTrue();
        assertThat(d).isEqualTo(expected).contains(0xff80_0000);
        Arrays.fill(d, 7);
        in.c()[9] = 0x7fc0_0001;
        assertThat(subject.unit(Speed.ADAPTIVE).runAsMachineCode(in, unused, d)).isFalse();
        assertThat(d).containsOnly(7);
    }

    private static void read(Sparsity sparsity, Operands operands) {
        assertThat(sparsity.read(operands.metadata(), operands.selector())).isTrue();
    }

    private static int words(Form form) {
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

    /// Numbers of many sizes, zeros and subnormal f16 and fp8 numbers among them.
    private static Operands operands(Form form, Random random) {
        return operands(form, random, (_, format) -> number(format, random));
    }

    /// How the codes of an operand are drawn.
    private interface Codes {
        long of(Role role, FloatFormat format);
    }

    /// The ends of the range, numbers of it that differ much, and some zeros; of an accumulator
    /// also what is no finite number.
    private static Codes extremes(Random random) {
        int kinds = random.nextInt(2, 8);
        boolean tiny = random.nextBoolean();
        return (role, format) -> {
            long magnitude =
                    switch (random.nextInt(kinds)) {
                        case 0 -> 0;
                        case 1 -> tiny ? format.minPositive() : format.maxFinite();
                        case 2 -> format.maxFinite();
                        case 3 -> format.minNormal();
                        case 4 -> format.minPositive();
                        case 5 -> format.encode(1, Rounding.NEAREST_EVEN, Overflow.IEEE);
                        default -> random.nextLong() & format.mask() >>> 1;
                    };
            boolean isNumber = Double.isFinite(format.toDouble(magnitude));
            long code = isNumber || role == Role.C ? magnitude : 0;
            return format.signed() && random.nextBoolean() ? code | format.mask() + 1 >>> 1 : code;
        };
    }

    private static Operands operands(Form form, Random random, Codes codes) {
        Vectors vectors = new Vectors(random.nextLong());
        Matrix a = matrix(form, Role.A, form.shape().m(), form.storedColumns(), random, codes);
        Matrix b = matrix(form, Role.B, form.shape().k(), form.shape().n(), random, codes);
        Matrix c = matrix(form, Role.C, form.shape().m(), form.shape().n(), random, codes);
        RegisterOrder order = RegisterOrder.REGISTER_MAJOR;
        boolean shared = form.family().warpgroup();
        Operands operands =
                Operands.of(
                        form.aSource() == ASource.SHARED_MEMORY
                                ? Vectors.byColumns(a.transposed())
                                : Vectors.registers(form.fragment(Role.A), a, order),
                        shared
                                ? Vectors.byColumns(b)
                                : Vectors.registers(form.fragment(Role.B), b, order),
                        Vectors.registers(form.fragment(Role.C), c, order));
        Optional<Matrix> nibbles = form.metadata().map(_ -> vectors.nibbles(form));
        if (nibbles.isPresent()) {
            int selector = vectors.selector(form);
            return operands.withMetadata(vectors.metadata(form, nibbles.get(), selector), selector);
        }
        return operands;
    }

    private static Matrix matrix(
            Form form, Role role, int rows, int columns, Random random, Codes codes) {
        if (form.type(role) instanceof IntegerFormat integer) {
            return integers(integer, rows, columns, random);
        }
        FloatFormat format = (FloatFormat) form.type(role);
        return Matrix.of(format, rows, columns, (_, _) -> codes.of(role, format));
    }

    private static long number(FloatFormat format, Random random) {
        double value =
                random.nextInt(8) == 0
                        ? 0
                        : random.nextGaussian() * Math.scalb(1.0, random.nextInt(-12, 4));
        if (format.exponentBits() < 8 && random.nextInt(12) == 0) {
            value = format.toDouble(format.minPositive()) * random.nextInt(-3, 4);
        }
        return format.encode(value, Rounding.NEAREST_EVEN, Overflow.SATFINITE);
    }

    /// Any bits; one matrix in four has the ends of the range alone, so that sums are as large as
    /// they can be.
    private static Matrix integers(IntegerFormat format, int rows, int columns, Random random) {
        long[] ends = {
            format.signed() ? format.mask() / 2 : format.mask(),
            format.signed() ? format.mask() / 2 + 1 : format.mask() - 1
        };
        int kind = random.nextInt(8);
        return Matrix.of(
                format,
                rows,
                columns,
                (_, _) -> kind < 2 ? ends[kind] : random.nextLong() & format.mask());
    }
}
