package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.Format;
import dev.heddle.formats.Matrix;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Role;
import dev.heddle.isa.Rule;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Evidence;
import dev.heddle.tensorcore.numerics.Generation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        Tile tile = vectors.tile(form);
        TensorCore core = TensorCore.of(form, subject.generation());

        Matrix expected = core.withSpeed(Speed.EXACT).multiply(tile);

        assertThat(core.multiply(tile).codes()).as("fast").isEqualTo(expected.codes());
        assertThat(core.withSpeed(Speed.SCALAR).multiply(tile).codes())
                .as("scalar")
                .isEqualTo(expected.codes());
        if (form.fragment(Role.D).computations() == 1) {
            for (RegisterOrder order : RegisterOrder.values()) {
                assertThat(onRegisters(core.withOrder(order), order, vectors, tile).codes())
                        .as("registers, %s", order)
                        .isEqualTo(expected.codes());
            }
        }
    }

    private static Matrix onRegisters(
            TensorCore core, RegisterOrder order, Vectors vectors, Tile tile) {
        Form form = core.form();
        int[] a =
                form.aSource() == ASource.SHARED_MEMORY
                        ? Vectors.byColumns(tile.a().transposed())
                        : Vectors.registers(form.fragment(Role.A), tile.a(), order);
        int[] b =
                form.family().warpgroup()
                        ? Vectors.byColumns(tile.b())
                        : Vectors.registers(form.fragment(Role.B), tile.b(), order);
        Operands operands =
                Operands.of(a, b, Vectors.registers(form.fragment(Role.C), tile.c(), order));
        if (form.sparse()) {
            int selector = vectors.selector(form);
            operands =
                    operands.withMetadata(
                            vectors.metadata(form, tile.metadata().orElseThrow(), selector),
                            selector);
        }
        if (form.blockScaled()) {
            operands =
                    operands.withScales(
                            scales(form, Role.A, tile.scaleA().orElseThrow()),
                            Operands.ScaleSelector.ZERO,
                            scales(form, Role.B, tile.scaleB().orElseThrow().transposed()),
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
                Rule.METADATA_ORDERED,
                "row 1, chunk 1 of A has metadata 0b0001 (lane 4, bits 7..4)");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: tf32 nibbles are 0b0100 or 0b1110")
    void otherTf32NibblesAreRefused() {
        assertRefused(
                "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
                0x4444_44C4,
                Rule.METADATA_TF32,
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
        Tile tile =
                Tile.of(
                        Matrix.zeros(f16, 16, 16),
                        Matrix.zeros(f16, 8, 16),
                        Matrix.zeros(form.type(Role.C), 16, 8));
        assertThatThrownBy(() -> TensorCore.of(form, Generation.SM_90).multiply(tile))
                .hasMessage("B is 8 x 16 .f16: expected 16 x 8 .f16");
    }

    @Test
    @DisplayName("PTX ISA 9.7.14.6.1: a dense A that conforms is compressed, another refused")
    void aDenseAIsCompressedIfItConforms() {
        Form form = Form.of("mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
        TensorCore core = TensorCore.of(form, Generation.SM_90);
        Matrix a = Matrix.of(form.type(Role.A), 16, 32, (row, k) -> k % 4 == row % 4 ? row + k : 0);
        Matrix b = Matrix.of(form.type(Role.B), 32, 8, (k, column) -> k - 3L * column);
        Matrix c = Matrix.of(form.type(Role.C), 16, 8, (row, column) -> row * 100L + column);
        Matrix d = core.multiply(Tile.of(a, b, c));
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
        assertThatThrownBy(() -> core.multiply(Tile.of(a, b, c)))
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

        Matrix d = hopper.multiply(Tile.of(a, b, c));

        // 2^-10 lies 34 places below 2^24: beyond the 25 fraction bits that sm_90 keeps
        assertThat(d.toDouble(0, 0)).isEqualTo(0x1p24);
        assertThat(hopper.accumulation().evidence())
                .containsExactly(new Evidence.Measured("NVIDIA H200", "mma_float"));
        assertThat(hopper.accumulation().description()).contains("truncated at 25 fraction bits");
    }
}
