package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Listing;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// What whole kernels are lowered to. The listings were read beside their PTX, instruction by
/// instruction; a change of one is to be read so again, after `-Dheddle.listings=write` wrote it.
@DisplayName("the listings of whole kernels")
final class GoldenListingsTest {
    private static final Path CORPUS = Path.of("../corpus");
    private static final Path LISTINGS = Path.of("src/test/resources/dev/heddle/vm/listings");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reduce-shared.compute_90a",
                "compaction.compute_90a",
                "mandelbrot.compute_90a",
                "matrix-moves.compute_90a",
                "mma-integer.compute_90a",
                "cluster.compute_90a",
                "legacy.sm_50"
            })
    void areAsStored(String name) throws IOException {
        String folder = name.substring(0, name.indexOf('.'));
        Kernel kernel = Kernel.read(CORPUS.resolve(folder).resolve(name + ".ptx"));
        String listing =
                kernel.program().codes().stream()
                        .filter(Code::isLowered)
                        .map(Listing::of)
                        .collect(Collectors.joining("\n"));
        Path stored = LISTINGS.resolve(name + ".txt");
        if ("write".equals(System.getProperty("heddle.listings"))) {
            Files.writeString(stored, listing);
        }
        assertThat(listing).isEqualTo(Files.readString(stored));
    }
}
