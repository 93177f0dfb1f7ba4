package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.Corpus;
import dev.heddle.ptx.Diagnostic;
import dev.heddle.ptx.Mutation;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/// What one wrong token leads to, whatever it is: a message that stands alone.
@DisplayName("Every finding names place, rule, section and remedy")
final class FindingsTest {

    private static final int MUTATIONS = 1_000;

    @Test
    void ofMutatedKernels() throws IOException {
        List<Path> files = Corpus.files();
        for (long seed = 1; seed <= MUTATIONS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path file = files.get(random.nextInt(files.size()));
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            Mutation mutation = Mutation.of(text, random);
            for (Diagnostic finding : Check.text(mutation.text(), "mutant.ptx").findings()) {
                complete(finding, "seed " + seed + ": " + mutation.changed());
            }
        }
    }

    private static void complete(Diagnostic finding, String described) {
        assertThat(finding.rule().id()).as(described).matches("[a-z0-9]+(-[a-z0-9]+)*");
        assertThat(finding.section()).as(described).matches("\\d+(\\.\\d+)*");
        assertThat(finding.message()).as(described).isNotBlank().doesNotContain("null", "{.");
        assertThat(finding.remedy()).as(described).isNotBlank().doesNotContain("null", "{.");
        assertThat(finding.position().line()).as(described).isPositive();
        assertThat(finding.verdict()).as(described).isIn((Object[]) Verdict.values());
    }
}
