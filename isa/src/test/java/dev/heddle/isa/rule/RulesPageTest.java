package dev.heddle.isa.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

@DisplayName("the vocabulary of rules")
final class RulesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "rules.md");

    /// With `-Dheddle.update=true` the page is written instead.
    @Test
    void theDocumentIsWhatTheTablePrints() throws IOException {
        if (Boolean.getBoolean("heddle.update")) {
            Files.writeString(PAGE, RulesPage.markdown());
        }
        assertThat(PAGE).hasContent(RulesPage.markdown());
    }

    @ParameterizedTest
    @EnumSource
    void isNamedByItsIdAndItsFormerOnes(Rule rule) {
        assertThat(rule.id()).matches("[a-z0-9]+(-[a-z0-9]+)*");
        assertThat(Rule.named(rule.id())).contains(rule);
        assertThat(rule.formerIds()).allSatisfy(id -> assertThat(Rule.named(id)).contains(rule));
    }

    @ParameterizedTest
    @CsvSource({
        "shared-race, data-race",
        "read-of-written-memory, uninitialized-read",
        "access-inside-a-buffer, out-of-bounds",
        "operand-count, wrong-operand-count",
        "wgmma-wait, wgmma-register-before-wait"
    })
    void namesOfEarlierVersionsStayUnderstood(String former, String id) {
        assertThat(Rule.named(former)).get().extracting(Rule::id).isEqualTo(id);
    }

    @Test
    void aWordThatIsNoRuleNamesNone() {
        assertThat(Rule.named("data-races")).isEmpty();
    }
}
