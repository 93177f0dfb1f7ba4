package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Diagnostic;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Each mistake that can be mended has a text `.fixed` beside it, and `fixed.verdicts` says what
/// ptxas 13.0 thinks of that. `-Dheddle.bless=true` writes the texts anew.
@DisplayName("What can only be meant otherwise is put right")
final class MendedTest {
    private static final Path FOLDER = Path.of("src/test/resources/dev/heddle/ptx/mistakes");

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    private static Path fixed(String name) {
        return FOLDER.resolve(name.replace(".ptx", ".fixed"));
    }

    static List<Path> mistakes() throws IOException {
        return GoldenMessagesTest.mistakes();
    }

    /// What the assembler says of each text afterwards, by the name of the mistake.
    private static Map<String, Boolean> verdicts() throws IOException {
        return Files.readAllLines(FOLDER.resolve("fixed.verdicts")).stream()
                .map(line -> line.split(" ", 2))
                .collect(
                        Collectors.toMap(
                                words -> words[1],
                                words -> words[0].equals("accept"),
                                (one, _) -> one,
                                TreeMap::new));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void theTextAfterwardsIsTheBlessedOne(Path file) throws IOException {
        String name = file.getFileName().toString();
        Mended mended = Mended.of(read(file), name);
        if (Boolean.getBoolean("heddle.bless") && !mended.applied().isEmpty()) {
            Files.writeString(fixed(name), mended.text(), StandardCharsets.ISO_8859_1);
        }
        assertThat(Files.exists(fixed(name))).isEqualTo(!mended.applied().isEmpty());
        assertThat(mended.text()).isEqualTo(read(Files.exists(fixed(name)) ? fixed(name) : file));
        assertThat(mended.report().fixable()).isEmpty();
    }

    @Test
    void theAssemblerTakesWhatIsMendedWhereNothingElseIsWrong() throws IOException {
        Map<String, Boolean> verdicts = verdicts();
        for (Path file : mistakes()) {
            String name = file.getFileName().toString();
            if (Files.exists(fixed(name))) {
                assertThat(verdicts).containsKey(name);
                CheckReport report = Check.text(read(fixed(name)), name);
                assertThat(report.verdict() != CheckReport.Verdict.REJECT)
                        .as(name + "\n" + report.text())
                        .isEqualTo(verdicts.get(name));
            } else {
                assertThat(verdicts).doesNotContainKey(name);
            }
        }
        assertThat(verdicts.values().stream().filter(accepted -> accepted)).hasSizeGreaterThan(15);
    }

    @Test
    void theAssemblerStillSaysSo() throws IOException, InterruptedException {
        assumeTrue(Assembler.isPresent(), "needs ptxas on the path");
        for (Map.Entry<String, Boolean> verdict : verdicts().entrySet()) {
            String before = read(FOLDER.resolve(verdict.getKey()));
            String after = read(fixed(verdict.getKey()));
            assertThat(Assembler.assemble(before, "sm_90a").accepted()).isFalse();
            assertThat(Assembler.assemble(after, "sm_90a").accepted())
                    .as(verdict.getKey())
                    .isEqualTo(verdict.getValue());
        }
    }

    @Test
    void everyRuleThatSlipsBreakHasAMistakeThatIsMended() throws IOException {
        Set<Rule> mended = EnumSet.noneOf(Rule.class);
        for (Path file : mistakes()) {
            Mended.of(read(file), "k.ptx").applied().forEach(one -> mended.add(one.rule()));
        }
        assertThat(mended)
                .containsExactlyInAnyOrder(
                        Rule.UNKNOWN_INSTRUCTION,
                        Rule.UNKNOWN_QUALIFIER,
                        Rule.REPEATED_QUALIFIER,
                        Rule.MISSING_QUALIFIER,
                        Rule.NO_SUCH_FORM,
                        Rule.MISSING_SEMICOLON,
                        Rule.SYNTAX_ERROR);
    }

    /// A slip in a legal text gives the text back, byte by byte, or is left to people: never
    /// another text that is taken. `-Dheddle.check.slips=N` makes more of them.
    @Test
    void aSlipIsUndoneOrLeft() throws IOException {
        String text =
                read(Path.of("src/test/resources/dev/heddle/ptx/everything.ptx"))
                        .replace("\n", "\r\n");
        assertThat(Mended.of(text, "k.ptx").text()).isEqualTo(text);
        Random random = new Random(18);
        int undone = 0;
        List<String> others = new ArrayList<>();
        int slips = Integer.getInteger("heddle.check.slips", 60);
        for (int i = 0; i < slips; i++) {
            String wrong = slip(text, random);
            Mended mended = Mended.of(wrong, "k.ptx");
            undone += mended.text().equals(text) ? 1 : 0;
            if (!mended.text().equals(text) && !mended.applied().isEmpty()) {
                Diagnostic first = mended.applied().getFirst();
                others.add(first.position() + " " + first.message() + " " + first.fix());
            }
        }
        assertThat(others).isEmpty();
        assertThat(undone).isGreaterThan(slips / 3);
    }

    /// One letter of a mnemonic lost, doubled or swapped, or one `;` lost.
    private static String slip(String text, Random random) {
        Matcher words = Pattern.compile("\\n\\t([a-z][a-z0-9_.:]{3,}) [^\\n]*;").matcher(text);
        List<int[]> places = new ArrayList<>();
        while (words.find()) {
            places.add(new int[] {words.start(1), words.end(1), words.end()});
        }
        int[] place = places.get(random.nextInt(places.size()));
        int at = place[0] + random.nextInt(place[1] - place[0] - 1);
        StringBuilder wrong = new StringBuilder(text);
        switch (random.nextInt(4)) {
            case 0 -> wrong.deleteCharAt(at);
            case 1 -> wrong.insert(at, wrong.charAt(at));
            case 2 -> wrong.insert(at, wrong.charAt(at + 1)).deleteCharAt(at + 2);
            default -> wrong.deleteCharAt(place[2] - 1);
        }
        return wrong.toString();
    }
}
