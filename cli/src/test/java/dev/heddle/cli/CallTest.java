package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

@DisplayName("A call of the command: help, version, colours, streams")
final class CallTest {
    private static final String MODULE =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry k()
            {
                ret;
            }
            """;

    @Test
    void aWordThatFillsScreensIsNotRepeatedWhole() {
        Ran ran = Ran.heddle("exec", "x".repeat(100_000));
        assertThat(ran.code()).isEqualTo(2);
        // With the quotes around it
        assertThat(ran.err()).contains("xxx... (100002 characters)").hasSizeLessThan(1_000);
    }

    @Test
    void helpIsACommandToo() {
        assertThat(Ran.heddle("help").out()).isEqualTo(Ran.heddle("--help").out());
        assertThat(Ran.heddle("help", "where").out())
                .isEqualTo(Ran.heddle("where", "--help").out());
    }

    @Test
    void theVersionNamesTheManual() {
        assertThat(Ran.heddle("--version").out()).startsWith("heddle ").contains("PTX ISA 9.1");
    }

    @Test
    void coloursAreAskedForOrLeftOut(@TempDir Path folder) throws IOException {
        String file = Files.writeString(folder.resolve("k.ptx"), MODULE + "}").toString();
        assertThat(Ran.heddle("check", file, "--color", "always").out()).contains("\u001b[");
        assertThat(Ran.heddle("--color=always", "check", file).out()).contains("\u001b[");
        assertThat(Ran.heddle("check", file).out()).doesNotContain("\u001b[");
        assertThat(Ran.heddle("check", file, "--color=always", "--json").out())
                .doesNotContain("\u001b[");
        assertThat(Ran.heddle("check", file, "--color=red").err())
                .contains("--color red: expected one of auto always never");
    }

    @Test
    void wrongUsageIsJsonWhereProgramsRead() {
        Ran ran = Ran.heddle("where", "--json", "--elment", "1,2");
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .startsWith("{\"verdict\":\"refused\",\"complaints\":[\"unknown option --elment\"]")
                .contains("heddle where --element");
    }

    @Test
    void everyCommandSaysWrongUsageAsJson() {
        for (String command : Main.complete().getSubcommands().keySet()) {
            Ran ran = Ran.heddle(command, "--no-such-option", "--json");
            assertThat(ran.code()).as(command).isEqualTo(2);
            assertThat(ran.err()).as(command).isEmpty();
            Map<?, ?> object = (Map<?, ?>) Objects.requireNonNull(Json.parse(ran.out()));
            assertThat(object.get("verdict")).as(command).isEqualTo("refused");
            assertThat((List<?>) object.get("tries")).as(command).isNotEmpty();
        }
    }

    @Test
    void aKernelComesFromStandardInputToo() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(MODULE.getBytes(StandardCharsets.UTF_8)));
            Ran ran = Ran.heddle("run", "-", "--grid", "1", "--block", "32");
            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(ran.out()).startsWith("ended without a finding\n");
            String wrong = MODULE.replace("ret;", "mvo;");
            System.setIn(new ByteArrayInputStream(wrong.getBytes(StandardCharsets.UTF_8)));
            assertThat(Ran.heddle("run", "-", "--grid", "1", "--block", "32").out())
                    .startsWith("<stdin>:6:5: invalid: 'mvo' is no PTX instruction");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aModuleComesFromStandardInput() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(MODULE.getBytes(StandardCharsets.UTF_8)));
            assertThat(Ran.heddle("check", "-").out()).isEqualTo("1 of 1 module accepted\n");
            System.setIn(new ByteArrayInputStream("nonsense".getBytes(StandardCharsets.UTF_8)));
            assertThat(Ran.heddle("check", "-").out()).startsWith("<stdin>:1:1: invalid: ");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void oneMissingFileDoesNotStopTheOthers(@TempDir Path folder) throws IOException {
        String file = Files.writeString(folder.resolve("k.ptx"), MODULE).toString();
        Ran ran = Ran.heddle("check", "nosuch.ptx", file);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).isEqualTo("heddle: nosuch.ptx: no such file\n");
        assertThat(ran.out()).isEqualTo("1 of 1 module accepted\n");
    }

    @Test
    void lettersBeyondAsciiAreShown(@TempDir Path folder) throws IOException {
        String text = MODULE.replace("ret;", "/* größe */ ret; mvo;");
        String file = Files.writeString(folder.resolve("k.ptx"), text).toString();
        List<String> lines = Ran.heddle("check", file).out().lines().toList();
        assertThat(lines.get(1)).endsWith("/* größe */ ret; mvo;");
        assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf("mvo"));
    }

    @Test
    void fishIsToldOfEveryCommandAndOption() {
        String script = Ran.heddle("completion", "--shell", "fish").out();
        Main.complete()
                .getSubcommands()
                .forEach(
                        (name, command) -> {
                            if (command.getCommandSpec().usageMessage().hidden()) {
                                assertThat(script).doesNotContain("-a " + name + " ");
                            } else {
                                assertThat(script).contains("-f -a " + name + " -d '");
                            }
                        });
        assertThat(script)
                .contains("'__fish_seen_subcommand_from check' -l run-on -r -d 'Say of each kernel")
                .contains("(heddle find --complete (commandline -ct) 2>/dev/null)");
        assertThat(script.lines().filter(line -> !line.startsWith("#")))
                .allMatch(line -> line.startsWith("complete -c heddle -n "))
                .allMatch(
                        line ->
                                line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2
                                        == 0);
    }

    @Test
    void aFailedWriteIsRemembered() {
        Delivery full =
                new Delivery(
                        new OutputStream() {
                            @Override
                            public void write(int b) throws IOException {
                                throw new IOException("No space left on device");
                            }
                        });
        assertThat(full.failed()).isFalse();
        try (var writer = new java.io.PrintWriter(full, true, StandardCharsets.UTF_8)) {
            writer.println("some text");
        }
        assertThat(full.failed()).isTrue();
        assertThat(full.reason()).isEqualTo("No space left on device");
    }
}
