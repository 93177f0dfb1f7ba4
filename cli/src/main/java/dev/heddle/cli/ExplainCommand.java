package dev.heddle.cli;

import dev.heddle.explorer.ErrorFigure;
import dev.heddle.formats.InputException;
import dev.heddle.isa.Legality;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.Target;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.ptx.instruction.FormMatch;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionTable;
import dev.heddle.tensorcore.functions.ApproximateFunction;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// `heddle explain`: what an instruction is, and what is wrong with it; what a rule is for.
final class ExplainCommand extends Command {
    /// Bytes of an instruction on standard input.
    private static final int LONGEST = 20_000;

    private static final Pattern COMMENT = Pattern.compile("//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

    @Override
    String help() {
        return """
        Explain an instruction: its operands, what they hold, what is wrong with it if
            anything.
        Give a bare opcode, or a whole instruction as written in source.
        Or explain a rule that a finding names: why it is, a wrong and a right example, what
            to do.

        [INSTRUCTION|RULE]  The opcode, instruction or rule; - for standard input.
        --rules  List all rules.
        --target T  Check against this target, as sm_90a.
        --ptx V  Check against this PTX ISA version, as 8.7.
        --figure FILE  Of an approximate function: draw its errors as SVG.
        --json  One JSON object.

        Examples:
          heddle explain mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
          heddle explain 'mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3},
              {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, {%f0,%f1,%f2,%f3}, %r8, 2;'
          heddle explain --target sm_80 mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
          heddle explain ex2.approx.ftz.f32 --figure ex2.svg
          heddle explain cvt.rni.s32.f32
          heddle explain data-race
          heddle explain --rules

        Exit codes: 0 nothing wrong; 1 a rule is broken; 2 no such opcode, or wrong usage.
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("INSTRUCTION|RULE", RuleText.ids(), "--target", Completions.targets());
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        if (has(given, "--rules")) {
            for (Rule rule : Rule.values()) {
                out.println(
                        has(given, "--json") ? Json.line(RuleText.row(rule)) : RuleText.line(rule));
            }
            return 0;
        }
        if (!given.hasMatchedPositional(0)) {
            throw new UsageError(
                    "INSTRUCTION is missing: the opcode, instruction or rule",
                    List.of("heddle explain --help"));
        }
        String text = asked(given);
        Optional<Rule> rule = RuleText.rule(text.strip());
        if (rule.isPresent()) {
            RuleText words = new RuleText(rule.get());
            if (has(given, "--json")) {
                out.println(Json.line(words.object()));
            } else {
                words.lines().forEach(out::println);
            }
            return 0;
        }
        return instruction(text, given, out, err);
    }

    /// What is to be explained: as given, or for `-` what standard input says.
    private static String asked(ParseResult given) {
        String text = at(given, 0);
        if (!text.equals("-")) {
            return text;
        }
        try {
            byte[] read = System.in.readNBytes(LONGEST + 1);
            if (read.length > LONGEST) {
                throw new UsageError(
                        "standard input: more than "
                                + LONGEST
                                + " bytes; heddle check takes files");
            }
            return new String(read, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageError("cannot read standard input: " + InputFault.reason(e));
        }
    }

    private static int instruction(
            String text, ParseResult given, PrintWriter out, PrintWriter err) {
        String target = value(given, "--target");
        String version = value(given, "--ptx");
        Optional<FunctionExplanation> function =
                ApproximateFunction.of(text.strip()).map(FunctionExplanation::new);
        if (function.isPresent()) {
            draw(function.get().function(), value(given, "--figure"), err);
            if (has(given, "--json")) {
                out.println(Json.line(function.get().object()));
            } else {
                function.get().lines().forEach(out::println);
            }
            return 0;
        }
        if (has(given, "--figure")) {
            throw new UsageError("--figure: only for an approximate function, as ex2.approx.f32");
        }
        List<FormMatch> matches = ScalarInstruction.matches(text);
        if (!matches.isEmpty() && !isProduct(matches.getFirst())) {
            return explain(text, matches.getFirst(), given, out);
        }
        Legality legality = legality(text);
        PtxVersion at = version == null ? PtxVersion.NEWEST : PtxVersion.parse(version);
        if (target != null) {
            legality = legality.on(Target.parse(target), at);
        } else if (version != null) {
            legality = legality.since(at);
        }
        MatrixExplanation explanation = new MatrixExplanation(legality, uncommented(text));
        if (has(given, "--json")) {
            out.println(Json.line(explanation.object()));
        } else if (legality.forms().isEmpty()) {
            throw new UsageError(String.join("\n", explanation.lines()));
        } else {
            explanation.lines().forEach(out::println);
        }
        boolean wrong = legality.violations().stream().anyMatch(v -> v.verdict() != Verdict.ADVICE);
        return legality.forms().isEmpty() ? 2 : wrong ? 1 : 0;
    }

    private static boolean isProduct(FormMatch match) {
        InstructionKind kind = match.form().kind();
        return kind == InstructionKind.MATRIX_MULTIPLY
                || kind == InstructionKind.WARPGROUP_MULTIPLY;
    }

    private static int explain(String text, FormMatch match, ParseResult given, PrintWriter out) {
        InstructionExplanation explanation =
                new InstructionExplanation(ScalarInstruction.mnemonic(text), match);
        String target = value(given, "--target");
        String version = value(given, "--ptx");
        List<String> violations =
                target == null && version == null
                        ? List.of()
                        : explanation.violations(
                                Target.parse(target == null ? "sm_121a" : target),
                                version == null ? PtxVersion.NEWEST : PtxVersion.parse(version));
        if (has(given, "--json")) {
            Map<String, Object> object = explanation.object();
            object.put("violations", violations);
            out.println(Json.line(object));
        } else {
            violations.forEach(out::println);
            explanation.lines().forEach(out::println);
        }
        return violations.isEmpty() ? 0 : 1;
    }

    private static String uncommented(String text) {
        return COMMENT.matcher(text).replaceAll(" ");
    }

    private static Legality legality(String text) {
        if (text.isBlank()) {
            throw new UsageError("explain: the instruction is empty", List.of("heddle find f16"));
        }
        SourceInstruction instruction = SourceInstruction.parse(uncommented(text));
        try {
            return Legality.of(instruction);
        } catch (InputException e) {
            String opcode = instruction.opcode();
            String head = opcode.split("[.]", 2)[0];
            if (!ScalarInstruction.lines(text).isEmpty()) {
                throw new UsageError(ScalarInstruction.unfit(text));
            }
            boolean known = InstructionTable.opcodes().contains(head);
            throw new UsageError(
                    e.getMessage() + (known ? "; heddle check and heddle run know " + head : ""),
                    known ? List.of() : List.of("heddle find " + opcode));
        }
    }

    private static void draw(ApproximateFunction function, @Nullable String file, PrintWriter err) {
        if (file == null) {
            return;
        }
        try {
            Files.writeString(Path.of(file), ErrorFigure.of(function));
        } catch (InvalidPathException e) {
            throw new UsageError("--figure " + file + ": " + e.getMessage());
        } catch (IOException e) {
            throw new UsageError("cannot write " + file + ": " + InputFault.reason(e));
        }
        err.println("drew " + file);
    }
}
