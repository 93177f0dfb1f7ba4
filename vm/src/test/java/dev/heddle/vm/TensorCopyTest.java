package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heddle.formats.FloatFormat;
import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What a tensor copy and a tensor map must not be; what they do, the corpus shows.
@DisplayName("PTX ISA 5.5: tensor copies")
final class TensorCopyTest {
    private static final Path PTX =
            Path.of("..", "corpus", "tma-modes", "tma-modes.compute_90a.ptx");

    private static Argument.TensorMap map(List<Long> shape, List<Long> strides, int box, int span) {
        return new Argument.TensorMap(
                new Argument.Address("a", 0),
                FloatFormat.F32,
                shape,
                strides,
                List.of(box, 8),
                List.of(1, 1),
                span,
                0,
                Argument.TensorMap.Fill.ZERO);
    }

    private static Outcome run(Argument.TensorMap map, int column, int expected)
            throws IOException {
        Launch launch =
                Launch.grid(1)
                        .block(32)
                        .with(Argument.of("a", new float[40 * 16]))
                        .passing(
                                map,
                                Argument.zeros("out", 1024),
                                Argument.s32(expected),
                                Argument.s32(1024),
                                Argument.s32(column),
                                Argument.s32(0));
        return Machine.interpreter().run(Kernel.read(PTX, "load2"), launch);
    }

    @Test
    @DisplayName("5.5.3.1: a box begins at a multiple of 16 bytes")
    void aBoxIsAligned() throws IOException {
        Argument.TensorMap map = map(List.of(40L, 16L), List.of(160L), 32, 128);
        assertThat(run(map, 4, 1024).findings()).isEmpty();
        Finding found = run(map, 2, 1024).findings().getFirst();
        assertThat(found.rule()).isEqualTo(Rule.MISALIGNED_TENSOR_BOX);
        assertThat(found.section()).isEqualTo("5.5.3.1");
        assertThat(found.message()).contains("element 2").contains("byte 8");
    }

    @Test
    @DisplayName("an mbarrier that expects more bytes than come never ends its phase")
    void moreBytesThanCome() throws IOException {
        Argument.TensorMap map = map(List.of(40L, 16L), List.of(160L), 32, 128);
        assertThat(run(map, 0, 2048).findings())
                .singleElement()
                .extracting(Finding::message)
                .asString()
                .contains("1024 bytes have not come");
    }

    @Test
    @DisplayName("a tensor map that the driver refuses is refused")
    void mapsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(map(List.of(40L, 16L), List.of(164L), 32, 128), 0, 1024))
                .withMessageContaining("a stride of 164 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(map(List.of(40L, 16L), List.of(160L), 36, 128), 0, 1024))
                .withMessageContaining("at most the 128 of the swizzle");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(map(List.of(40L, 16L), List.of(160L), 6, 0), 0, 1024))
                .withMessageContaining("a multiple of 16");
    }
}
