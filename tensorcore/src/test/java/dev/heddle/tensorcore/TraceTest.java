package dev.heddle.tensorcore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Value;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Trace;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

@DisplayName("the steps by which an element of D comes about")
final class TraceTest {
    private static final long SEED = 20261121;
    private static final int ELEMENTS = 3;

    /// All warp forms, and the narrow ones of wgmma.
    private static Stream<Form> formsOf(Generation generation) {
        return Forms.all().stream()
                .filter(generation::has)
                .filter(form -> !form.family().warpgroup() || form.shape().n() == 8);
    }

    @ParameterizedTest
    @EnumSource(Generation.class)
    void theyEndInTheBitsOfTheExecutorForEveryForm(Generation generation) {
        Random random = new Random(SEED + generation.ordinal());
        List<String> differing = new ArrayList<>();
        formsOf(generation)
                .forEach(
                        form -> {
                            long seed = random.nextLong();
                            MatrixProduct.Inputs inputs = new Vectors(seed).inputs(form);
                            MatrixProduct product =
                                    MatrixProduct.of(TensorCore.of(form, generation));
                            Matrix d = product.execute(inputs);
                            for (int i = 0; i < ELEMENTS; i++) {
                                int row = random.nextInt(d.rows());
                                int column = random.nextInt(d.columns());
                                Trace trace = product.trace(inputs, row, column);
                                check(trace);
                                if (trace.code() != d.bits(row, column)) {
                                    differing.add(
                                            "%s, seed %d, (%d, %d)"
                                                    .formatted(form, seed, row, column));
                                }
                            }
                        });
        assertThat(differing).isEmpty();
    }

    /// Kept and cut make up each term, less than one place is cut, and the kept ones make the sum.
    private static void check(Trace trace) {
        for (Trace.Pass pass : trace.passes()) {
            if (!(pass.sum() instanceof Value.Finite sum)) {
                continue;
            }
            BigDecimal total = BigDecimal.ZERO;
            for (Trace.Term term : pass.terms()) {
                BigDecimal kept = number(term.kept());
                BigDecimal cut = number(term.cut());
                assertThat(kept.add(cut)).isEqualByComparingTo(number(term.exact()));
                double place = pass.lastPlace().map(at -> Math.scalb(1.0, at)).orElse(0.0);
                assertThat(cut.abs().compareTo(new BigDecimal(place)) < (place == 0 ? 1 : 0))
                        .isTrue();
                total = total.add(kept);
                assertThat(number(term.running())).isEqualByComparingTo(total);
            }
            assertThat(sum.toBigDecimal()).isEqualByComparingTo(total);
        }
    }

    private static BigDecimal number(Value value) {
        return ((Value.Finite) value).toBigDecimal();
    }

    @Test
    @DisplayName("sm_90 keeps 25 places below the largest exponent")
    void aTermLosesWhatLiesBelowTheWindow() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Matrix a = Matrix.zeros(FloatFormat.F16, 16, 16);
        Matrix b = Matrix.zeros(FloatFormat.F16, 16, 8);
        Matrix c = Matrix.zeros(FloatFormat.F32, 16, 8);
        a.set(3, 0, 0x3E00); // 1.5
        b.set(0, 2, 0x3E00);
        a.set(3, 1, 0x1001); // 2^-11 (1 + 2^-10)
        b.set(1, 2, 0x0400); // 2^-14
        c.set(3, 2, 0xBF80_0000L); // -1

        Trace trace =
                MatrixProduct.of(TensorCore.of(form, Generation.SM_90))
                        .trace(new MatrixProduct.Inputs(a, b, c), 3, 2);

        assertThat(trace.passes()).hasSize(1);
        Trace.Pass pass = trace.passes().getFirst();
        assertThat(pass.alignment()).contains(0); // 1.5 * 1.5 is not normalised
        assertThat(pass.lastPlace()).contains(-25);
        assertThat(pass.terms()).hasSize(17);
        assertThat(pass.terms().get(1))
                .isEqualTo(
                        new Trace.Term(
                                new Trace.Product(1, 1),
                                Value.of(0x1p-25 + 0x1p-35),
                                Optional.of(-25),
                                Value.of(0x1p-25),
                                Value.of(2.25 + 0x1p-25)));
        assertThat(pass.terms().get(1).cut()).isEqualTo(Value.of(0x1p-35));
        assertThat(pass.terms().get(2).exponent()).as("zero does not count").isEmpty();
        assertThat(pass.terms().getLast().source()).isEqualTo(new Trace.Accumulator());
        assertThat(pass.sum()).isEqualTo(Value.of(1.25 + 0x1p-25));
        assertThat(pass.result()).isEqualTo(Value.of(1.25));
        assertThat(trace.code()).isEqualTo(0x3FA0_0000L);
    }

    @Test
    @DisplayName("sm_90 sums e4m3 in two passes and adds C")
    void passesReferToEarlierOnes() {
        Form form = Form.of("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
        MatrixProduct.Inputs inputs = new Vectors(SEED).inputs(form);
        Trace trace = MatrixProduct.of(TensorCore.of(form, Generation.SM_90)).trace(inputs, 0, 0);
        assertThat(trace.passes())
                .extracting(pass -> pass.terms().size())
                .containsExactly(16, 17, 2);
        assertThat(trace.passes().get(1).terms().getFirst().source())
                .isEqualTo(new Trace.Product(2, 1));
        assertThat(trace.passes().get(1).terms().getLast().source())
                .isEqualTo(new Trace.Earlier(0));
        assertThat(trace.passes().get(2).terms())
                .extracting(Trace.Term::source)
                .containsExactly(new Trace.Earlier(1), new Trace.Accumulator());
    }

    @Test
    void placesOutsideOfDAreRefused() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        MatrixProduct.Inputs inputs = new Vectors(SEED).inputs(form);
        MatrixProduct product = MatrixProduct.of(TensorCore.of(form, Generation.SM_90));
        assertThatThrownBy(() -> product.trace(inputs, 0, 8))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
