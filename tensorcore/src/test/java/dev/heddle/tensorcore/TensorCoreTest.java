package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.Matrix;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.ExactProduct;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("PTX ISA 9.7.14.5, 9.7.14.6, 9.7.15: execution of the forms")
final class TensorCoreTest {
    private static final long SEED = 9714;

    /// A form, and a generation that has it.
    record Subject(Form form, Generation generation, long seed) {
        @Override
        public String toString() {
            return "%s on %s, seed %d".formatted(form, generation, seed);
        }
    }

    /// All warp forms on one generation each, taken by turns, and some of the many of wgmma.
    static Stream<Subject> subjects() {
        Random random = new Random(SEED);
        List<Subject> subjects = new ArrayList<>();
        for (Form form : Forms.all()) {
            List<Generation> generations =
                    Stream.of(Generation.values()).filter(at -> at.has(form)).toList();
            boolean taken =
                    form.family().warpgroup()
                            ? form.shape().n() <= 24 && random.nextInt(4) == 0
                            : random.nextInt(2) == 0;
            if (!generations.isEmpty() && taken) {
                Generation generation = generations.get(random.nextInt(generations.size()));
                subjects.add(new Subject(form, generation, random.nextLong()));
            }
        }
        return subjects.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("subjects")
    void theFastKernelsGiveTheBitsOfTheExactTwinOnMatricesAndOnRegisters(Subject subject) {
        Form form = subject.form();
        Vectors vectors = new Vectors(subject.seed());
        MatrixProduct.Inputs inputs = vectors.inputs(form);
        TensorCore core = TensorCore.of(form, subject.generation());

        Matrix expected = exact(form, core.accumulation(), inputs);

        for (Speed speed : Speed.values()) {
            assertThat(MatrixProduct.of(core.withSpeed(speed)).execute(inputs).codes())
                    .as("%s", speed)
                    .isEqualTo(expected.codes());
        }
        if (form.fragment(Role.D).computations() == 1) {
            for (RegisterOrder order : RegisterOrder.values()) {
                assertThat(onRegisters(core.withOrder(order), order, vectors, inputs).codes())
                        .as("registers, %s", order)
                        .isEqualTo(expected.codes());
            }
        }
    }

    /// D by the exact twin, straight from the matrices.
    private static Matrix exact(Form form, Accumulation rule, MatrixProduct.Inputs inputs) {
        int m = form.shape().m();
        int n = form.shape().n();
        ExactProduct product =
                new ExactProduct(
                        form.type(Role.A), form.type(Role.B), form.type(Role.C), form.type(Role.D));
        return Matrix.of(
                form.type(Role.D),
                inputs.c().rows(),
                n,
                (row, column) -> {
                    int k = form.storedColumns();
                    long[] a = new long[k];
                    long[] b = new long[k];
                    long[] scalesA = new long[k];
                    long[] scalesB = new long[k];
                    for (int at = 0; at < k; at++) {
                        a[at] = inputs.a().bits(row, at);
                        b[at] = inputs.b().bits(met(form, inputs, row, at), row / m * n + column);
                        if (form.blockScaled()) {
                            Matrix ofA = inputs.scaleA().orElseThrow();
                            int vector = at * ofA.columns() / k;
                            scalesA[at] = ofA.bits(row, vector);
                            scalesB[at] = inputs.scaleB().orElseThrow().bits(vector, column);
                        }
                    }
                    Optional<ExactProduct.Scales> scales =
                            form.scaleFactors(Role.A)
                                    .map(
                                            factors ->
                                                    new ExactProduct.Scales(
                                                            (FloatFormat) factors.format(),
                                                            scalesA,
                                                            scalesB));
                    long c = inputs.c().bits(row, column);
                    return product.element(rule, new ExactProduct.Terms(a, b, c, false, scales));
                });
    }

    /// The row of B that an element of A meets.
    private static int met(Form form, MatrixProduct.Inputs inputs, int row, int element) {
        if (!form.sparse()) {
            return element;
        }
        Granularity granularity = form.granularity().orElseThrow();
        int chunk = element / granularity.stored();
        int nibble = (int) inputs.metadata().orElseThrow().bits(row, chunk);
        return chunk * granularity.width()
                + granularity.column(nibble, element % granularity.stored());
    }

    private static Matrix onRegisters(
            TensorCore core, RegisterOrder order, Vectors vectors, MatrixProduct.Inputs inputs) {
        Form form = core.form();
        int[] a =
                form.aSource() == ASource.SHARED_MEMORY
                        ? Vectors.byColumns(inputs.a().transposed())
                        : Vectors.registers(form.fragment(Role.A), inputs.a(), order);
        int[] b =
                form.family().warpgroup()
                        ? Vectors.byColumns(inputs.b())
                        : Vectors.registers(form.fragment(Role.B), inputs.b(), order);
        Operands operands =
                Operands.of(a, b, Vectors.registers(form.fragment(Role.C), inputs.c(), order));
        if (form.sparse()) {
            int selector = vectors.selector(form);
            operands =
                    operands.withMetadata(
                            vectors.metadata(form, inputs.metadata().orElseThrow(), selector),
                            selector);
        }
        if (form.blockScaled()) {
            operands =
                    operands.withScales(
                            scales(form, Role.A, inputs.scaleA().orElseThrow()),
                            Operands.ScaleSelector.ZERO,
                            scales(form, Role.B, inputs.scaleB().orElseThrow().transposed()),
                            Operands.ScaleSelector.ZERO);
        }
        int[] d = new int[core.words(Role.D)];
        core.execute(operands, d);
        return Vectors.matrix(form.fragment(Role.D), d, order);
    }

    private static int[] scales(Form form, Role role, Matrix byLine) {
        ScaleFactors factors = form.scaleFactors(role).orElseThrow();
        int[] words = new int[form.lanes()];
        for (int line = 0; line < byLine.rows(); line++) {
            for (int vector = 0; vector < byLine.columns(); vector++) {
                ScaleFactors.Supplier at =
                        factors.supplier(new ScaleFactors.Factor(line, vector), 0, 0);
                words[at.lane()] |= (int) byLine.bits(line, vector) << at.bitLow();
            }
        }
        return words;
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: equal indices are undefined")
    void equalIndicesAreRefusedWithTheirPlace() {
        assertRefused(
                "mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
                0x4444_4454,
                Rule.METADATA_EQUAL_INDICES,
                "row 1, chunk 1 of A has metadata 0b0101 (lane 4, bits 7..4)");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.3: ordered metadata must increase")
    void unorderedIndicesAreRefusedWhereOrderIsPromised() {
        assertRefused(
                "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
                0x4444_4414,
                Rule.METADATA_UNORDERED,
                "row 1, chunk 1 of A has metadata 0b0001 (lane 4, bits 7..4)");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: tf32 nibbles are 0b0100 or 0b1110")
    void otherTf32NibblesAreRefused() {
        assertRefused(
                "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
                0x4444_44C4,
                Rule.METADATA_NOT_TF32,
                "row 1, chunk 1 of A has metadata 0b1100 (lane 4, bits 7..4)");
    }

    /// Executes with this word in lane 4 and legal ones in all others.
    private static void assertRefused(String opcode, int word, Rule rule, String where) {
        TensorCore core = TensorCore.of(Form.of(opcode), Generation.SM_90);
        int[] metadata = new int[32];
        Arrays.fill(metadata, 0x4444_4444);
        metadata[4] = word;
        int[] d = new int[core.words(Role.D)];
        Arrays.fill(d, 42);
        Operands operands =
                Operands.of(
                                new int[core.words(Role.A)],
                                new int[core.words(Role.B)],
                                new int[core.words(Role.C)])
                        .withMetadata(metadata, 0);

        assertThatThrownBy(() -> core.execute(operands, d))
                .isInstanceOfSatisfying(
                        UndefinedInputException.class,
                        refusal -> assertThat(refusal.rule()).isEqualTo(rule))
                .hasMessageContaining(where)
                .hasMessageContaining(rule.id());
        assertThat(d).containsOnly(42);

        core.withUndefinedInputs(UndefinedInputs.AS_SM_90).execute(operands, d);
        assertThat(d).containsOnly(0);
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: the selector names a thread or a thread-pair")
    void selectorsOutOfRangeAreRefused() {
        TensorCore core =
                TensorCore.of(
                        Form.of("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"),
                        Generation.SM_90);
        Operands operands =
                Operands.of(new int[128], new int[128], new int[128]).withMetadata(new int[32], 2);
        assertThatThrownBy(() -> core.execute(operands, new int[128]))
                .isInstanceOf(UndefinedInputException.class)
                .hasMessageContaining("sparsity selector 2, allowed: 0..1");
    }

    @Test
    void undefinedInputsAreKnownOfOneGenerationOnly() {
        TensorCore core =
                TensorCore.of(
                        Form.of("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"),
                        Generation.SM_80);
        assertThatThrownBy(() -> core.withUndefinedInputs(UndefinedInputs.AS_SM_90))
                .hasMessageContaining("not of sm_80");
    }

    @Test
    void aFormIsRefusedOnAGenerationWithoutIt() {
        Form form = Form.of("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
        assertThatThrownBy(() -> TensorCore.of(form, Generation.SM_120))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not on sm_120, needs PTX ISA 8.0");
    }

    @Test
    void matricesOfOtherShapesAreRefused() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Format f16 = form.type(Role.A);
        MatrixProduct.Inputs inputs =
                new MatrixProduct.Inputs(
                        Matrix.zeros(f16, 16, 16),
                        Matrix.zeros(f16, 8, 16),
                        Matrix.zeros(form.type(Role.C), 16, 8));
        MatrixProduct product = MatrixProduct.of(TensorCore.of(form, Generation.SM_90));
        assertThatThrownBy(() -> product.execute(inputs))
                .hasMessage("operand B: found 8 x 16 .f16, expected 16x8 f16");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: a dense A that conforms is compressed, another refused")
    void aDenseAIsCompressedIfItConforms() {
        Form form = Form.of("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
        MatrixProduct product = MatrixProduct.of(TensorCore.of(form, Generation.SM_90));
        Matrix a = Matrix.of(form.type(Role.A), 16, 32, (row, k) -> k % 4 == row % 4 ? row + k : 0);
        Matrix b = Matrix.of(form.type(Role.B), 32, 8, (k, column) -> k - 3L * column);
        Matrix c = Matrix.of(form.type(Role.C), 16, 8, (row, column) -> row * 100L + column);
        Matrix d = product.execute(new MatrixProduct.Inputs(a, b, c));
        for (int row = 0; row < 16; row++) {
            for (int column = 0; column < 8; column++) {
                long sum = row * 100L + column;
                for (int k = row % 4; k < 32; k += 4) {
                    sum += (row + k) * (k - 3L * column);
                }
                assertThat((int) d.bits(row, column)).isEqualTo((int) sum);
            }
        }

        a.set(5, 8, 1);
        a.set(5, 9, 1);
        a.set(5, 10, 1);
        assertThatThrownBy(() -> product.execute(new MatrixProduct.Inputs(a, b, c)))
                .hasMessageContaining("row 5, chunk 2 (columns 8..11) holds");
    }

    @Test
    @DisplayName("the worked example")
    void anEngineerEmbedsTheOracle() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        TensorCore hopper = TensorCore.of(form, Generation.of("sm_90a"));
        Matrix a = Matrix.of(form.type(Role.A), 16, 16, (row, k) -> 0x3C00); // 1.0
        Matrix b = Matrix.of(form.type(Role.B), 16, 8, (k, column) -> 0x1400); // 2^-10
        Matrix c = Matrix.of(form.type(Role.C), 16, 8, (row, column) -> 0x4B80_0000); // 2^24

        Matrix d = MatrixProduct.of(hopper).execute(new MatrixProduct.Inputs(a, b, c));

        // 2^-10 lies 34 places below 2^24: beyond the 25 fraction bits that sm_90 keeps
        assertThat(d.toDouble(0, 0)).isEqualTo(0x1p24);
        assertThat(hopper.accumulation().evidence())
                .containsExactly(new Evidence.Measured("NVIDIA H200", "mma_float"));
        assertThat(hopper.accumulation().description()).contains("truncated at 25 fraction bits");
    }
}
