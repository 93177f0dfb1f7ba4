package dev.heddle.cli;

import dev.heddle.files.TensorReference;
import dev.heddle.formats.Matrix;
import dev.heddle.formats.Tensor;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.FragmentWords;
import dev.heddle.tensorcore.MatrixProduct;
import dev.heddle.tensorcore.Operands;
import dev.heddle.tensorcore.TensorCore;
import dev.heddle.tensorcore.TensorCore.UndefinedInputs;
import dev.heddle.tensorcore.numerics.Generation;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `heddle exec`: one instruction on matrices.
final class ExecCommand extends Command {
    private static final String GPU = "gpu";

    @Override
    String help() {
        return """
        Execute one instruction on matrices, bit for bit as a generation of GPUs does; or a
            scalar instruction on arrays, element by element.
        Files are .npy or .safetensors, - is standard input; formats that NumPy lacks are
            unsigned integers of their width. What is not given: C is zero; without A and B
            all are random. Operands of a scalar instruction may be numbers: --a 1.5.

        INSTRUCTION  The opcode, or a whole instruction.
        --a FILE  A, M x K; sparse: conforming, compressed by heddle compress, or stored
            with --e.
        --b FILE  B, K x N.
        --c FILE  C, M x N (default: zero).
        --e FILE  Sparse A stored: the metadata word of each lane.
        --selector F  With --e: the sparsity selector.
        --sfa FILE  Scale factors of A, M x factors.
        --sfb FILE  Scale factors of B, factors x N.
        --random SEED  Random inputs from this seed.
        --prune  Prune a sparse A to conform, by magnitude.
        --arch T  The generation (default: sm_90).
        --on gpu  Execute on the GPU of this machine.
        --compare T,T…  Where these differ: generations, and gpu.
        --against exact  The error of each element in ulps.
        --undefined sm_90  Do with undefined inputs what it was measured to do.
        --out FILE  Save D.
        --registers LANES  Show D's registers of lanes, as 0,5.
        --json  One JSON object.

        Examples:
          heddle exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --random 1
          heddle exec mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 --a a.npy --b b.npy \
        --out d.npy
          heddle exec mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --random 1 --compare \
        sm_80,sm_90
          heddle exec mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --random 1 --against exact

        A scalar instruction takes --a --b --c (of bfi --e): files of one shape, or one element \
        or number for all.
          heddle exec ex2.approx.ftz.f32 --a x.npy --out y.npy --against exact
          heddle exec 'lop3.b32 d, a, b, c, 0x96' --a a.npy --b b.npy --c 255
          heddle exec fma.rn.f32 --random 1 --compare interpreter,compiler,gpu

        Exit codes: 0 fine; 1 --compare found a difference; 2 wrong usage or input.
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--arch", Completions.generations(), "--on", List.of(GPU));
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) throws IOException {
        Optional<ScalarInstruction> scalar = ScalarInstruction.of(at(given, 0));
        if (scalar.isPresent()) {
            return ScalarReport.run(scalar.get(), given, out, err);
        }
        Form form = LayoutQuery.form(at(given, 0));
        Inputs inputs = Inputs.of(form, given);
        String on = value(given, "--on");
        if (on != null && !on.equals(GPU)) {
            throw new UsageError("--on " + on + ": expected gpu");
        }
        String compare = value(given, "--compare");
        if (compare != null) {
            return compare(form, inputs, List.of(compare.split(",", -1)), given, out);
        }
        String arch = value(given, "--arch");
        Computed computed =
                compute(form, inputs, on != null ? GPU : arch == null ? "sm_90" : arch, given);
        // Asked before anything is printed: an answer that stops in the middle is none.
        Answer answer = Answer.of(form, inputs, computed, given);
        report(form, computed, answer, given, out);
        String file = value(given, "--out");
        if (file != null) {
            TensorReference.parse(file).write(Tensor.of(computed.d));
            err.println("saved D in " + file);
        }
        return 0;
    }

    /// A result and who computed it.
    ///
    /// @param where    `sm_90`, or the GPU's name
    /// @param evidence why it should be believed
    /// @param words    D's registers, lane after lane
    /// @param d        D
    @SuppressWarnings("ArrayRecordComponent") // carried to the report, never compared
    private record Computed(String where, String evidence, int[] words, Matrix d) {}

    private static Computed compute(Form form, Inputs inputs, String where, ParseResult given) {
        if (where.equals(GPU)) {
            OnGpu.Result result = OnGpu.execute(form, inputs.operands());
            return computed(form, result.device(), "executed on it", result.d());
        }
        TensorCore core = core(form, where, value(given, "--undefined"));
        int[] words = new int[core.words(Role.D)];
        core.execute(inputs.operands(), words);
        String evidence = core.accumulation().description() + " " + core.accumulation().evidence();
        return computed(form, core.generation().toString(), evidence, words);
    }

    private static Computed computed(Form form, String where, String evidence, int[] words) {
        Matrix d = new FragmentWords(form.fragment(Role.D)).unpack(words);
        return new Computed(where, evidence, words, d);
    }

    private static TensorCore core(Form form, String arch, @Nullable String undefined) {
        TensorCore core = TensorCore.of(form, Generation.of(arch));
        if (undefined == null) {
            return core;
        }
        if (!undefined.equals("sm_90")) {
            throw new UsageError("--undefined " + undefined + ": only sm_90 was measured");
        }
        return core.withUndefinedInputs(UndefinedInputs.AS_SM_90);
    }

    /// What is said beside D.
    ///
    /// @param registers of the lanes asked for, by lane
    /// @param errors    of the elements, where they were asked for
    private record Answer(Map<String, List<String>> registers, List<UlpError> errors) {
        static Answer of(Form form, Inputs inputs, Computed computed, ParseResult given) {
            String lanes = value(given, "--registers");
            String against = value(given, "--against");
            return new Answer(
                    lanes == null ? Map.of() : ExecCommand.registers(form, computed.words, lanes),
                    against == null ? List.of() : UlpError.of(form, inputs, computed.d, against));
        }
    }

    private static void report(
            Form form, Computed computed, Answer answer, ParseResult given, PrintWriter out) {
        if (has(given, "--json")) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("opcode", form.opcode());
            object.put("on", computed.where);
            object.put("evidence", computed.evidence);
            object.put("d", MatrixText.codes(computed.d));
            object.put("values", MatrixText.values(computed.d));
            if (!answer.registers.isEmpty()) {
                object.put("registers", answer.registers);
            }
            if (!answer.errors.isEmpty()) {
                object.put("ulps", answer.errors.stream().map(UlpError::text).toList());
            }
            out.println(Json.line(object));
            return;
        }
        out.println(form.opcode());
        out.println("on " + computed.where + ": " + computed.evidence);
        out.println();
        MatrixText.lines("D", computed.d).forEach(out::println);
        if (!answer.registers.isEmpty()) {
            out.println();
            answer.registers.forEach((lane, words) -> out.println("lane " + lane + ": " + words));
        }
        if (!answer.errors.isEmpty()) {
            out.println();
            UlpError.lines(answer.errors, computed.d.columns()).forEach(out::println);
        }
    }

    private static Map<String, List<String>> registers(Form form, int[] words, String lanes) {
        Fragment fragment = form.fragment(Role.D);
        int each = fragment.registers() * fragment.registerBits() / Integer.SIZE;
        Map<String, List<String>> shown = new LinkedHashMap<>();
        for (int lane : Numbers.parse("--registers", lanes, 1, form.lanes())) {
            if (lane < 0 || lane >= form.lanes()) {
                throw new UsageError(
                        "--registers " + lane + ": expected lanes 0.." + (form.lanes() - 1));
            }
            List<String> registers = new ArrayList<>();
            for (int i = 0; i < each; i++) {
                registers.add("0x%08x".formatted(words[lane * each + i]));
            }
            shown.put(String.valueOf(lane), registers);
        }
        return shown;
    }

    private static int compare(
            Form form, Inputs inputs, List<String> wheres, ParseResult given, PrintWriter out) {
        if (wheres.stream().map(String::strip).distinct().count() < 2) {
            throw new UsageError(
                    "--compare "
                            + String.join(",", wheres)
                            + ": nothing to compare; expected two that differ, as sm_80,sm_90");
        }
        List<Computed> all = new ArrayList<>();
        for (String where : wheres) {
            all.add(compute(form, inputs, where.strip(), given));
        }
        Matrix first = all.getFirst().d;
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < first.rows(); row++) {
            for (int column = 0; column < first.columns(); column++) {
                if (differs(all, row, column)) {
                    lines.add(difference(all, row, column));
                }
            }
        }
        report(form, all, lines, given, out);
        return lines.isEmpty() ? 0 : 1;
    }

    private static void report(
            Form form, List<Computed> all, List<String> lines, ParseResult given, PrintWriter out) {
        int elements = all.getFirst().d.rows() * all.getFirst().d.columns();
        if (has(given, "--json")) {
            out.println(
                    Json.line(
                            Map.of(
                                    "opcode",
                                    form.opcode(),
                                    "compared",
                                    all.stream().map(Computed::where).toList(),
                                    "elements",
                                    elements,
                                    "different",
                                    lines.size(),
                                    "differences",
                                    lines)));
        } else {
            out.println(form.opcode());
            all.forEach(one -> out.println("  " + one.where + ": " + one.evidence));
            out.println("%d of %d elements differ".formatted(lines.size(), elements));
            lines.forEach(line -> out.println("  " + line));
        }
    }

    private static boolean differs(List<Computed> all, int row, int column) {
        long first = all.getFirst().d.bits(row, column);
        return all.stream().anyMatch(one -> one.d.bits(row, column) != first);
    }

    private static String difference(List<Computed> all, int row, int column) {
        List<String> parts = new ArrayList<>();
        for (Computed one : all) {
            parts.add(
                    "%s %s (%s)"
                            .formatted(
                                    one.where,
                                    MatrixText.code(one.d, row, column),
                                    MatrixText.value(one.d, row, column)));
        }
        return "D[%d][%d]: %s".formatted(row, column, String.join(", ", parts));
    }

    /// The matrices and the registers they come to.
    ///
    /// @param a        A, dense
    /// @param b        B
    /// @param c        C
    /// @param scaleA   scale factors of A, or null
    /// @param scaleB   scale factors of B, or null
    /// @param operands the registers
    record Inputs(
            Matrix a,
            Matrix b,
            Matrix c,
            @Nullable Matrix scaleA,
            @Nullable Matrix scaleB,
            Operands operands) {
        static Inputs of(Form form, ParseResult given) throws IOException {
            return new InputReader(form, given).read();
        }

        static MatrixProduct product(Form form) {
            Generation any =
                    List.of(Generation.values()).stream()
                            .filter(generation -> generation.has(form))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new UsageError(
                                                    form + ": no generation with numerics has it"));
            return MatrixProduct.of(TensorCore.of(form, any));
        }
    }
}
