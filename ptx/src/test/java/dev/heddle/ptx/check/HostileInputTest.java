package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// Input that nobody wrote in good faith ends in messages: no crash, no hang, no flood.
@DisplayName("Hostile input")
final class HostileInputTest {

    private static final String HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n";

    private static CheckReport check(String text) {
        return Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> Check.text(text, "hostile.ptx"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1_000, 100_000})
    void deepNestingEndsInAMessage(int depth) {
        String braces = HEADER + ".entry k() " + "{".repeat(depth) + " ret; " + "}".repeat(depth);
        String parentheses =
                HEADER + ".global .b32 x = " + "(".repeat(depth) + "1" + ")".repeat(depth) + ";\n";
        String minuses = HEADER + ".global .b32 x = " + "-".repeat(depth) + "1;\n";
        String lists = HEADER + ".global .b32 x[1] = " + "{".repeat(depth) + "1;\n";
        String questions = HEADER + ".global .b32 x = " + "1?1:".repeat(depth) + "1;\n";
        for (String text : List.of(braces, parentheses, minuses, lists, questions)) {
            CheckReport report = check(text);
            assertThat(report.findings()).hasSizeLessThan(1100);
            if (depth >= 1000) {
                assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.REJECT);
            }
        }
    }

    @Test
    void hugeThingsEndInAMessage() {
        String line = HEADER + "// " + "x".repeat(5_000_000) + "\n";
        String name = HEADER + ".entry " + "k".repeat(2_000_000) + "() { ret; }\n";
        String number = HEADER + ".global .b64 x = " + "9".repeat(2_000_000) + ";\n";
        String string = HEADER + ".file 1 \"" + "s".repeat(2_000_000) + "\n";
        String comment = HEADER + "/* " + "y".repeat(2_000_000);
        String statements = HEADER + ".entry k() {" + ";".repeat(2_000_000) + "}\n";
        String operands = HEADER + ".entry k() { add.s32 " + "1, ".repeat(300_000) + "1; }\n";
        String qualifiers = HEADER + ".entry k() { add" + ".s32".repeat(20_000) + " 1; }\n";
        for (String text :
                List.of(line, name, number, string, comment, statements, operands, qualifiers)) {
            CheckReport report = check(text);
            assertThat(report.text().length()).isLessThan(4_000_000);
        }
        assertThat(check(number).verdict()).isEqualTo(CheckReport.Verdict.REJECT);
        assertThat(check(comment).verdict()).isEqualTo(CheckReport.Verdict.REJECT);
    }

    @Test
    void registersAreNotCountedOut() {
        CheckReport report =
                check(
                        HEADER
                                + ".entry k() { .reg .b32 %r<1000000000>; mov.b32 %r999999999, 1;"
                                + " ret; }");
        assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.ACCEPT);
    }

    @Test
    void binaryGarbageEndsInAMessage() {
        SplittableRandom random = new SplittableRandom(7);
        for (int length : new int[] {0, 1, 100, 10_000, 1_000_000}) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            CheckReport report = check(new String(bytes, StandardCharsets.ISO_8859_1));
            assertThat(report.verdict()).isEqualTo(CheckReport.Verdict.REJECT);
            assertThat(report.text()).isNotBlank();
        }
    }

    @Test
    void seededHostileInputNeverCrashesAndRoundTrips() throws IOException {
        long seed = Long.getLong("heddle.fuzz.seed", 1);
        FuzzCampaign.Tried tried =
                new FuzzCampaign().run(Long.getLong("heddle.fuzz.seconds", 5), seed);
        System.getLogger("heddle.fuzz").log(System.Logger.Level.INFO, "{0}", tried);
        assertThat(tried.inputs()).isNotEmpty();
        assertThat(tried.slowest()).as("seed %d", tried.slowestSeed()).isLessThan(30_000);
    }
}
