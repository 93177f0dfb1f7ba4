package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Codes;
import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.formats.Tensor;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionForm;
import dev.heddle.ptx.instruction.InstructionForm.Kind;
import dev.heddle.ptx.instruction.InstructionTable;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

@DisplayName("heddle exec, of a scalar instruction")
final class ScalarExecTest {
    @TempDir Path folder;

    private String file(String name, Format format, List<Integer> shape, long... codes)
            throws IOException {
        Codes all = Codes.zeros(format, codes.length);
        for (int i = 0; i < codes.length; i++) {
            all.set(i, codes[i]);
        }
        String file = folder.resolve(name + ".npy").toString();
        TensorReference.parse(file).write(new Tensor(shape, all));
        return file;
    }

    private Tensor saved() throws IOException {
        return TensorReference.parse(folder.resolve("d.npy").toString()).read();
    }

    private Ran exec(String... more) {
        List<String> words = new ArrayList<>(List.of("exec"));
        words.addAll(List.of(more));
        words.addAll(List.of("--out", folder.resolve("d.npy").toString()));
        return Ran.heddle(words.toArray(String[]::new));
    }

    /// 2^0.3 as an H100 has it; 2^1 is 2. The error by mpmath: 2^0x1.333334p-2 is
    /// 1.2311444235178...
    @Test
    void computesWhatAnH100Does() throws IOException {
        String a = file("a", FloatFormat.F32, List.of(2, 1), 0x3e99999aL, 0x3f800000L);
        Ran ran = exec("ex2.approx.ftz.f32", "--a", a, "--against", "exact");
        assertThat(ran.code()).isZero();
        assertThat(saved().shape()).containsExactly(2, 1);
        assertThat(saved().bits(0)).isEqualTo(0x3f9d9624L);
        assertThat(saved().bits(1)).isEqualTo(0x40000000L);
        assertThat(ran.out())
                .contains("MEASURED NVIDIA H100 and H200")
                .contains("largest at [0] a 0x3e99999a (0.3)")
                .contains("exactly 1.2311444235178112690");
    }

    /// 0x12 + 1 merged into the lower half of 7; -(2 * 3) + 1.
    @Test
    void partsAndSignsOfRegistersCount() throws IOException {
        exec("vadd.s32.s32.s32 d.h0, a.b2, b.h0, c", "--a", "0x120034", "--b", "1", "--c", "7");
        assertThat(saved().bits(0)).isEqualTo(0x13);
        exec("vmad.s32.s32.s32 d, -a, b, c", "--a", "2", "--b", "3", "--c", "1");
        assertThat(saved().bits(0)).isEqualTo(0xffff_fffbL);
        assertThat(exec("add.s32 d, -a, b", "--a", "2", "--b", "3").err())
                .contains("add.s32: operand a cannot be -a");
        assertThat(exec("vadd.s32.s32.s32 d, a.h2, b", "--a", "2", "--b", "3").err())
                .contains("operand a cannot be a.h2");
    }

    @Test
    void oneElementStandsForAll() throws IOException {
        String a = file("a", IntegerFormat.U32, List.of(3), 1, 2, 0xffff_ffffL);
        String b = file("b", IntegerFormat.U32, List.of(1), 0xff);
        exec("lop3.b32 d, a, b, c, 0x96", "--a", a, "--b", b, "--c", "0xf0");
        assertThat(saved().bits(0)).isEqualTo(1 ^ 0xff ^ 0xf0);
        assertThat(saved().bits(1)).isEqualTo(2 ^ 0xff ^ 0xf0);
        assertThat(saved().bits(2)).isEqualTo(0xffff_ffffL ^ 0xff ^ 0xf0);
    }

    @ParameterizedTest
    @CsvSource({
        "cvt.rni.s32.f32, 2.5, 2",
        "cvt.rni.s32.f32, -3.5, fffffffc",
        "cvt.rn.f16.f32, 1.0, 3c00",
        "cvt.rn.bf16.f32, 1.0, 3f80",
        "cvt.sat.u8.s32, 300, ff",
        "setp.lt.f32 p| a 2.0, 1.0, 1",
        "popc.b32, 0xff00ff00, 10",
        "neg.f64, 1.0, bff0000000000000",
        "shl.b32 d| a 4, 3, 30",
        "fma.rn.f32 d| a 2.0 1.0, 3.0, 40e00000",
        "vadd.u32.u32.u32 d| a 5, 7, c",
        "selp.b32 d| a 7 0, 9, 9"
    })
    void everyKindHasItsTypes(String instruction, String a, String expected) throws IOException {
        String text = instruction.replace("| ", " ").replace(" ", ", ").replaceFirst(", ", " ");
        if (instruction.startsWith("selp")) {
            text = "selp.b32 d, a, 7, c";
            exec(text, "--a", a, "--c", "1");
        } else {
            exec(text, "--a", a);
        }
        assertThat(Long.toHexString(saved().bits(0))).isEqualTo(expected);
    }

    /// Halves stand in pairs, and come back so: -(1.0), -(2.0).
    @Test
    void pairsAreGivenAsHalves() throws IOException {
        String a = file("a", FloatFormat.F16, List.of(1, 2), 0x3c00, 0x4000);
        exec("neg.f16x2", "--a", a);
        assertThat(saved().format()).isEqualTo(FloatFormat.F16);
        assertThat(saved().shape()).containsExactly(1, 2);
        assertThat(saved().bits(0)).isEqualTo(0xbc00);
        assertThat(saved().bits(1)).isEqualTo(0xc000);
    }

    @Test
    void executorsAreCompared() {
        Ran ran =
                Ran.heddle(
                        "exec",
                        "rsqrt.approx.f64",
                        "--random",
                        "7",
                        "--compare",
                        "interpreter,compiler",
                        "--json");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("\"elements\":1024").contains("\"different\":0");
    }

    /// 1 + 2^-24 lies halfway between 1 and its neighbour: half an ulp.
    @Test
    void errorsAreThoseOfExactArithmetic() throws IOException {
        String a = file("a", FloatFormat.F32, List.of(2), 0x3f800000L, 0x3f800000L);
        String b = file("b", FloatFormat.F32, List.of(2), 0x33800000L, 0x3f800000L);
        Ran ran = exec("add.rn.f32", "--a", a, "--b", b, "--against", "exact", "--json");
        assertThat(ran.out()).contains("\"largest\":0.5,\"at\":0,\"mean\":0.25,\"finite\":2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fma.rn.f32 --a 1|--b is missing: fma.rn.f32 reads a, b, c",
                "lop3.b32 --random 1|operand lut is a constant; write it, as 'lop3.b32 d, a, b",
                "addc.u32 --random 1|addc.u32 reads the carry flag",
                "ex2.approx.ftz.f16 --a 1|fits no syntax line; there are",
                "add.f32x2 --random 1|needs sm_100 or higher",
                "add.u32 --a 1 --b 2 --c 3|--c: add.u32 reads a, b",
                "add.u32 --a 1.5 --b 2|expected a file, a number, or bits",
                "add.u32 --a 1 --b 2 --against exact|no rounded number",
                "add.f32 --a 1 --b 2 --sfa x|--sfa is for matrix instructions",
                "add.f32 --a 1 --b missing.npy|missing.npy: no such file"
            })
    void whatIsWrongIsSaid(String words, String message) {
        Ran ran = Ran.heddle(("exec " + words).split(" ", -1));
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(message);
    }

    /// Every syntax line of the table that computes on registers gives a kernel that the checker
    /// takes; those that do not are named.
    @Test
    void everyScalarLineGivesALegalKernel() {
        Set<String> refused = new TreeSet<>();
        int legal = 0;
        for (InstructionForm form : InstructionTable.all()) {
            if (!ScalarInstruction.isScalar(form.kind())) {
                continue;
            }
            String mnemonic = FormMatch.of(form, List.of()).example();
            try {
                ScalarInstruction instruction =
                        ScalarInstruction.of(written(mnemonic, form)).orElseThrow();
                String kernel = instruction.kernel("9.1", "sm_100a", Set.of());
                BoundModule.of(Ptx.parse(kernel, mnemonic));
                legal++;
            } catch (UsageError e) {
                refused.add(form.head());
            } catch (InvalidModule e) {
                refused.add(mnemonic);
            }
        }
        assertThat(legal).isGreaterThan(250);
        // Carries, two results, vectors, random bits, .b8 registers, a rounding that newer targets
        // ask for, and an example that does not narrow.
        assertThat(refused)
                .containsExactlyInAnyOrder(
                        "addc",
                        "subc",
                        "madc.hi",
                        "madc.lo",
                        "lop3",
                        "mov",
                        "cvt",
                        "cvt.rn.f16x2.e2m1x2",
                        "cvt.rn.satfinite.e2m1x2.f32",
                        "cvt.rn.satfinite.e2m1x2.f16x2",
                        "cvt.rn.satfinite.e2m1x2.bf16x2",
                        "mad.f32",
                        "cvt.sat.s32.s32");
    }

    private static String written(String mnemonic, InstructionForm form) {
        boolean constant =
                form.operands().stream().anyMatch(place -> place.kind() == Kind.CONSTANT);
        return !constant
                ? mnemonic
                : mnemonic
                        + form.operands().stream()
                                .map(place -> place.kind() == Kind.CONSTANT ? "1" : place.name())
                                .collect(Collectors.joining(", ", " ", ""));
    }
}
