package dev.heddle.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.tensorcore.numerics.Generation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Objects;

@DisplayName("What is doubtful in a descriptor, and where generations differ")
final class DescriptorAdviceTest {
    private static final Form FORM =
            Form.of("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16", ASource.SHARED_MEMORY);

    private static SharedMemoryFigure memory(MatrixDescriptor descriptor) {
        return new SharedMemoryFigure(
                FORM, Role.A, new SharedMatrix(descriptor, SharedMatrix.Major.K, 16));
    }

    @Test
    void aMatrixWithoutGapsIsBeyondDoubt() {
        for (SwizzleMode mode : SwizzleMode.values()) {
            assertThat(DescriptorAdvice.of(memory(SharedMemoryFigure.packed(FORM, Role.A, mode))))
                    .isEmpty();
        }
    }

    /// Both offsets 0: every core matrix of 8 rows by 16 bytes stands on the first.
    @Test
    void rowsOnTopOfOneAnotherAreSaid() {
        assertThat(DescriptorAdvice.of(memory(new MatrixDescriptor(0, 0, 0, 0, SwizzleMode.NONE))))
                .singleElement()
                .asString()
                .startsWith("Places overlap: 480 of 512 words")
                .contains("A[0][0] and A[0][8]");
    }

    /// PTX ISA 9.7.15.5.1.2.2: base offset (addr >> 7) & 7 where the pattern is not aligned.
    @Test
    void anUnalignedPatternNeedsItsBaseOffset() {
        MatrixDescriptor off = new MatrixDescriptor(0x100, 16, 1024, 0, SwizzleMode.BYTES_128);
        assertThat(DescriptorAdvice.of(memory(off)))
                .singleElement()
                .asString()
                .contains("no multiple of 1024")
                .contains("base offset to 2");
        MatrixDescriptor set = new MatrixDescriptor(0x100, 16, 1024, 2, SwizzleMode.BYTES_128);
        assertThat(DescriptorAdvice.of(memory(set))).isEmpty();
    }

    @Test
    void fieldsThatDoNothingAndBitsOfNoFieldAreSaid() {
        MatrixDescriptor leading = new MatrixDescriptor(0, 256, 1024, 0, SwizzleMode.BYTES_128);
        assertThat(DescriptorAdvice.of(memory(leading)))
                .singleElement()
                .asString()
                .contains("leading dimension byte offset is not used");
        assertThat(DescriptorAdvice.ofRegister(-1))
                .singleElement()
                .asString()
                .contains("0x3ff1c000c000c000");
        assertThat(DescriptorAdvice.ofRegister(0xC00E_3FFF_3FFF_3FFFL)).isEmpty();
    }

    @Test
    void theExpressionHasTheFields() {
        assertThat(
                        DescriptorAdvice.expression(
                                new MatrixDescriptor(0, 32, 2048, 3, SwizzleMode.BYTES_64)))
                .contains("(32 >> 4) << 16", "(2048 >> 4) << 32", "3 << 49", "2 << 62");
    }

    @Test
    void inputsThatDifferAreFoundAndDoDiffer() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Generation ampere = Generation.of("sm_80");
        Generation hopper = Generation.of("sm_90");
        Map<String, Object> found = Difference.find(form, ampere, hopper);
        Map<String, String> question =
                Map.of(
                        "a", String.valueOf(found.get("a")),
                        "b", String.valueOf(found.get("b")),
                        "c", String.valueOf(found.get("c")));
        assertThat(ElementExecution.document(form, ampere, question).get("code"))
                .isNotEqualTo(ElementExecution.document(form, hopper, question).get("code"));
        Form integers = Form.of("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
        assertThat(Objects.requireNonNull(Difference.find(integers, ampere, hopper).get("message")))
                .asString()
                .contains("sm_80 and sm_90");
    }

    /// 0.1 is no f16: the nearest is 0x2e66 = 1638 * 2^-14.
    @Test
    void whatAFormatDoesNotHaveIsSaid() {
        Form form = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Map<String, Object> document =
                ElementExecution.document(
                        form,
                        Generation.of("sm_90"),
                        Map.of("a", "0.1 70000 0.5", "b", "1", "c", "0"));
        assertThat(String.valueOf(document.get("remarks")))
                .contains("0.1 became 0.0999755859375, the nearest f16")
                .contains("70000 became inf")
                .doesNotContain("0.5");
    }
}
