package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

@DisplayName("heddle check --fix")
final class CheckFixTest {
    /// With a comment in UTF-8 and line ends of another system, which stay.
    private static final String RIGHT =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            // Größe
            .visible .entry k()
            {
            .reg .b32 %r<4>;
            mov.u32 %r1, 5;
            add.u32 %r2, %r1, %r1;
            ret;
            }
            """
                    .replace("\n", "\r\n");

    private static final String WRONG =
            RIGHT.replace("mov.u32", "mvo.u32").replace("%r1, %r1;", "%r1, %r1");

    private static final List<String> CHANGED =
            List.of(
                    "-mvo.u32 %r1, 5;\r",
                    "-add.u32 %r2, %r1, %r1\r", "+mov.u32 %r1, 5;\r", "+add.u32 %r2, %r1, %r1;\r");

    @TempDir Path folder;
    private Path file = Path.of("");

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("k.ptx");
        Files.writeString(file, WRONG);
    }

    private static Ran fed(String input, String... words) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return Ran.heddle(words);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void theFileIsMendedAndSaidToBe() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Ran ran = Ran.heddle("check", "--fix", file.toString());
        assertThat(ran.code()).isZero();
        assertThat(Files.readString(file)).isEqualTo(RIGHT);
        assertThat(ran.out())
                .isEqualTo(
                        """
                        %1$s:8:1: fixed: 'mvo' is no PTX instruction: wrote mov for mvo
                        %1$s:9:19: fixed: no ';' behind this; the next line begins with 'ret': added ;

                        1 of 1 module accepted; 2 fixed
                        """
                                .formatted(file));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aDiffChangesNothing() throws IOException {
        Ran ran = Ran.heddle("check", "--fix", "--diff", file.toString());
        assertThat(ran.code()).isEqualTo(1);
        assertThat(Files.readString(file)).isEqualTo(WRONG);
        assertThat(ran.out().split("\n", -1))
                .startsWith("--- " + file, "+++ " + file, "@@ -5,7 +5,7 @@")
                .containsSubsequence(CHANGED);
        assertThat(ran.err()).contains("0 of 1 module accepted; 2 invalid, --fix mends 2");
        assertThat(Ran.heddle("check", "--diff", file.toString()).err())
                .contains("--diff: only with --fix");
    }

    @Test
    void standardInputComesBackOnStandardOutput() {
        Ran ran = fed(WRONG, "check", "--fix", "-");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualTo(RIGHT);
        assertThat(ran.err()).contains("<stdin>:8:1: fixed:", "1 of 1 module accepted; 2 fixed");
        assertThat(fed(RIGHT, "check", "--fix", "-").out()).isEqualTo(RIGHT);
        assertThat(fed(WRONG, "check", "--fix", "--json", "-").code()).isEqualTo(2);
    }

    @Test
    void whatIsRightOrCannotBeMendedIsNotTouched() throws IOException {
        String unclear = RIGHT.replace("mov.u32", "mul.u32").replace(" 5;", " %r2, %r3;");
        for (String text : List.of(RIGHT, unclear)) {
            Files.writeString(file, text);
            Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
            Ran.heddle("check", "--fix", file.toString());
            assertThat(Files.readString(file)).isEqualTo(text);
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(FileTime.fromMillis(1000));
        }
    }

    @Test
    void programsReadWhatToWrite() throws IOException {
        Path log = folder.resolve("log.sarif");
        Ran before = Ran.heddle("check", "--json", "--sarif", log.toString(), file.toString());
        assertThat(before.out())
                .contains("\"fix\":{\"line\":8,\"column\":1,\"old\":\"mvo\",\"new\":\"mov\"}");
        assertThat(Files.readString(log))
                .contains(
                        "\"deletedRegion\":{\"startLine\":8,\"startColumn\":1,\"endColumn\":4}",
                        "\"insertedContent\":{\"text\":\"mov\"}",
                        "\"description\":{\"text\":\"write mov\"}");
        Object after = Json.parse(Ran.heddle("check", "--fix", "--json", file.toString()).out());
        assertThat(((Map<?, ?>) after).get("verdict")).isEqualTo("accept");
        assertThat((List<?>) ((Map<?, ?>) after).get("fixed")).hasSize(2);
    }

    @Test
    void whatIsCompiledInCannotBeMended() throws IOException {
        Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
        Ran ran = Ran.heddle("check", "--fix", file.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("--fix mends PTX files");
    }
}
