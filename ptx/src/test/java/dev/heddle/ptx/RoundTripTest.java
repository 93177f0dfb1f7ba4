package dev.heddle.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@DisplayName("PTX ISA 4: what is printed parses to the same module")
final class RoundTripTest {

    static List<Path> files() throws IOException {
        return Corpus.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void compiledKernelsRoundTrip(Path file) throws IOException {
        String text = Files.readString(file);
        Parsed parsed = Ptx.parse(text, file.toString());
        assertThat(parsed.diagnostics()).isEmpty();
        String printed = ModulePrinter.print(parsed.module());
        Parsed again = Ptx.parse(printed, file.toString());
        assertThat(again.diagnostics()).isEmpty();
        assertThat(Structure.of(again.module())).isEqualTo(Structure.of(parsed.module()));
        assertThat(ModulePrinter.print(again.module())).isEqualTo(printed);
    }
}
