package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import picocli.CommandLine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What documents print is what happens: every block marked `console` is run, every option that is
/// named exists, every link leads somewhere.
///
/// `-Dheddle.bless=true` writes what happened into blocks that say something else; read the
/// difference before you keep it.
@DisplayName("Documents")
final class DocumentsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");
    private static final Pattern CALL =
            Pattern.compile("(?<![-\\w/.])(?:\\./)?heddle ([a-z]+)((?: [^`|\\n]*)?)");
    private static final Pattern OPTION = Pattern.compile("(?<=\\s)(--[a-z][a-z-]*)");

    static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        documents.add(Path.of("README.md"));
        documents.add(Path.of("CONTRIBUTING.md"));
        for (String folder : List.of("docs", "examples", "corpus")) {
            try (Stream<Path> tree = Files.walk(ROOT.resolve(folder))) {
                tree.filter(file -> file.toString().endsWith(".md"))
                        .map(ROOT::relativize)
                        .sorted()
                        .forEach(documents::add);
            }
        }
        return documents;
    }

    static List<Path> withCommands() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path document : documents()) {
            if (Files.readString(ROOT.resolve(document)).contains("```console")) {
                found.add(document);
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("withCommands")
    void commandsPrintWhatIsPrinted(Path document, @TempDir Path scratch) throws IOException {
        Shell shell = new Shell(ROOT, scratch);
        List<String> lines = Files.readAllLines(ROOT.resolve(document));
        List<String> blessed = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        int copied = 0;
        for (ConsoleBlock block : ConsoleBlock.of(lines)) {
            blessed.addAll(lines.subList(copied, block.line()));
            copied = block.line();
            for (ConsoleBlock.Step step : block.steps()) {
                Shell.Answer answer = shell.run(step.command());
                blessed.addAll(step.source());
                copied += step.source().size() + step.printed().size();
                while (lines.get(copied).isEmpty()) {
                    copied++;
                }
                if (step.shows(answer)) {
                    blessed.addAll(step.printed());
                } else {
                    List<String> now = ConsoleBlock.lines(answer);
                    blessed.addAll(now);
                    wrong.add(
                            "%s:%d: $ %s%nprints%n%s"
                                    .formatted(
                                            document,
                                            block.line(),
                                            step.command(),
                                            String.join("\n", now)));
                }
            }
        }
        blessed.addAll(lines.subList(copied, lines.size()));
        if (Boolean.getBoolean("heddle.bless") && !wrong.isEmpty()) {
            Files.write(ROOT.resolve(document), blessed);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyOptionThatIsNamedExists() throws IOException {
        CommandLine heddle = Main.complete();
        List<String> unknown = new ArrayList<>();
        for (Path document : documents()) {
            if (document.endsWith("wrong-inputs.md")) {
                continue;
            }
            Matcher call =
                    CALL.matcher(Files.readString(ROOT.resolve(document)).replace("\\\n", " "));
            while (call.find()) {
                CommandLine command = heddle.getSubcommands().get(call.group(1));
                if (command == null || call.group(1).equals("cuda")) {
                    continue; // the sentence goes on, or the options may be the program's
                }
                Set<String> options = command.getCommandSpec().optionsMap().keySet();
                Matcher option = OPTION.matcher(call.group(2));
                while (option.find()) {
                    if (!options.contains(option.group(1))) {
                        unknown.add(document + ": heddle " + call.group(1) + " " + option.group(1));
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(prose(Files.readString(ROOT.resolve(document))));
            while (link.find()) {
                if (link.group(1).matches("[a-z]+:.*")) {
                    continue;
                }
                Path target =
                        link.group(1).isEmpty()
                                ? ROOT.resolve(document)
                                : ROOT.resolve(document).resolveSibling(link.group(1)).normalize();
                if (!Files.exists(target)
                        || link.group(2) != null && !anchors(target).contains(link.group(2))) {
                    broken.add(document + ": " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /// Without code, in which brackets mean other things.
    private static String prose(String text) {
        return text.replaceAll("(?ms)^```.*?^```", "").replaceAll("`[^`\n]*`", "code");
    }

    private static Set<String> anchors(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(title -> "#" + title.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
