package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.ptx.Corpus;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

@DisplayName("PTX ISA 9: what the compiler emits is accepted")
final class CorpusAcceptedTest {

    static List<Path> files() throws IOException {
        return Corpus.files();
    }

    @ParameterizedTest
    @MethodSource("files")
    void compiledKernelsAreAccepted(Path file) throws IOException {
        CheckReport report = Check.file(file);
        assertThat(report.verdict()).as(report.text()).isEqualTo(CheckReport.Verdict.ACCEPT);
    }
}
