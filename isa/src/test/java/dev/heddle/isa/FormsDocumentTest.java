package dev.heddle.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// `docs/forms.md` is printed from the model; `-Dheddle.docs.update=true` writes it anew.
@DisplayName("docs/forms.md says what the model has")
final class FormsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "forms.md");

    @Test
    void theDocumentIsUpToDate() throws IOException {
        String printed = document();
        if (Boolean.getBoolean("heddle.docs.update")) {
            Files.writeString(DOCUMENT, printed);
        }
        assertThat(DOCUMENT)
                .as("run the tests of isa with -Dheddle.docs.update=true to write it anew")
                .hasContent(printed);
    }

    private static String document() {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                # The legal forms

                Printed from the model by `FormsDocumentTest` of module `isa`; the syntax lines are those
                of PTX ISA 9.1, expanded by the lists of the manual. A form is an opcode that an assembler
                takes; of wgmma, an opcode with A from registers and the same opcode with A from shared
                memory are two.

                | instruction | section | forms | syntax lines |
                | --- | --- | ---: | ---: |
                """);
        for (Family family : Family.values()) {
            text.append(
                    "| `%s` | %s | %d | %d |%n"
                            .formatted(
                                    family,
                                    family.section(),
                                    forms(family),
                                    Manual.syntaxes(family).size()));
        }
        text.append("| all | | %d | |%n".formatted(Forms.all().size()));
        for (Family family : Family.values()) {
            text.append("%n## `%s`%n%n".formatted(family));
            text.append("| forms | requires | syntax line |\n| ---: | --- | --- |\n");
            for (Syntax line : Manual.syntaxes(family)) {
                text.append(
                        "| %d | %s | `%s` |%n"
                                .formatted(
                                        line.forms().size(),
                                        line.requirement(),
                                        line.text().replaceAll("\\s+", " ")));
            }
        }
        return text.toString();
    }

    private static int forms(Family family) {
        List<Form> forms = Forms.of(family);
        assertThat(Manual.syntaxes(family).stream().mapToInt(line -> line.forms().size()).sum())
                .isEqualTo(forms.size());
        return forms.size();
    }
}
