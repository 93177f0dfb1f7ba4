package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.formats.InputException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

@DisplayName("Wrong input: one message, exit code 2, no stack trace")
final class BadInputTest {
    private static final String DENSE = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    private static final String SPARSE = "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32";

    /// A call and a part of its message.
    record Bad(String says, List<String> words) {
        static Bad call(String says, String... words) {
            return new Bad(says, List.of(words));
        }
    }

    static List<Bad> calls() {
        return List.of(
                Bad.call(
                        "nearest: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                        "where",
                        "mma.m16n8k16.f16",
                        "A",
                        "--lane",
                        "0"),
                Bad.call("no matrix instruction", "where", "add.s32", "A", "--lane", "0"),
                Bad.call(".row, if that is meant", "explain", DENSE.replace(".row", ".roww")),
                Bad.call(
                        "allowed: shape .m8n8k4, .m16n8k8", "explain", DENSE.replace("k16", "k12")),
                Bad.call("has no operand E", "where", DENSE, "E", "--lane", "0"),
                Bad.call("has no operand SFA", "layout", DENSE, "SFA"),
                Bad.call("expected A, B, C, D, E, SFA or SFB", "layout", DENSE, "Q"),
                Bad.call("rows 0..15, columns 0..15", "where", DENSE, "A", "--element", "16,0"),
                Bad.call("lane 32: expected 0..31", "where", DENSE, "A", "--lane", "32"),
                Bad.call("lane -1: expected 0..31", "where", DENSE, "A", "--lane", "-1"),
                Bad.call(
                        "register 4: expected 0..3",
                        "where",
                        DENSE,
                        "A",
                        "--lane",
                        "1",
                        "--register",
                        "4"),
                Bad.call("selector 2: expected 0..1", "layout", SPARSE, "E", "--selector", "2"),
                Bad.call("expected 2 whole numbers", "where", DENSE, "A", "--element", "3"),
                Bad.call("--element R,C or --lane L is missing", "where", DENSE, "A"),
                Bad.call(
                        "expected text, tsv, csv, markdown, json or svg",
                        "layout",
                        DENSE,
                        "A",
                        "--as",
                        "png"),
                Bad.call("unknown target \"sm_91\"", "explain", "--target", "sm_91", DENSE),
                Bad.call("expected two numbers such as 8.7", "explain", "--ptx", "new", DENSE),
                Bad.call("unknown instruction family", "forms", "--family", "hmma"),
                Bad.call("no such file", "vectors", "verify", "missing.bin.gz"),
                Bad.call("no such file", "check", "missing.ptx"),
                Bad.call("no such file", "run", "missing.ptx", "--grid", "1", "--block", "1"),
                Bad.call("give both --a and --b", "exec", DENSE, "--a", "a.npy"),
                Bad.call("no numerics for \"sm_70\"", "exec", DENSE, "--arch", "sm_70"),
                Bad.call("unknown option --nonsense", "where", DENSE, "A", "--nonsense"),
                Bad.call(
                        "stands in shared memory",
                        "layout",
                        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
                        "B"),
                Bad.call("column", "explain", DENSE + " {%r0, %r1"),
                Bad.call("try: heddle where", "wher"));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void oneMessage(Bad bad) {
        Ran ran = Ran.heddle(bad.words().toArray(String[]::new));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(bad.says()).startsWith("heddle: ").doesNotContain("\tat ");
        assertThat(ran.err()).doesNotContain("Exception").doesNotContain("internal error");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void onlyWhatNamesTheInputIsToldAsItsFault() {
        assertThat(Complaint.about(new InputException("target sm_91: unknown")).message())
                .isEqualTo("target sm_91: unknown");
        assertThat(Complaint.about(new NoSuchFileException("a.ptx")).message())
                .isEqualTo("a.ptx: no such file or folder");
        assertThat(Complaint.about(new InvalidPathException("a\0b", "Nul character")).message())
                .isEqualTo("no path: Nul character: a\0b");
        for (RuntimeException mistake :
                List.of(
                        new IllegalArgumentException("109313 is not a valid index"),
                        new NumberFormatException("For input string: x"),
                        new IllegalStateException("closed"))) {
            assertThat(Complaint.about(mistake).message())
                    .startsWith("internal error, not a fault of your input: " + mistake)
                    .contains("please report it");
        }
    }

    @Test
    void filesOfTheWrongShapeOrCutShortAreRefused(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("d.npy");
        Path cut = folder.resolve("cut.npy");
        Files.write(cut, new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 50});
        Ran ran =
                Ran.heddle(
                        "exec",
                        DENSE,
                        "--a",
                        cut.toString(),
                        "--b",
                        cut.toString(),
                        "--out",
                        out.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("heddle: ").contains("cut.npy");
        assertThat(out).doesNotExist();
    }

    @Test
    void aFileOfAnotherFormatIsRefused(@TempDir Path folder) {
        Path d = folder.resolve("d.npy");
        assertThat(Ran.heddle("exec", DENSE, "--random", "1", "--out", d.toString()).code())
                .isZero();
        Ran ran = Ran.heddle("exec", DENSE, "--a", d.toString(), "--b", d.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("d.npy").contains("f16");
    }
}
