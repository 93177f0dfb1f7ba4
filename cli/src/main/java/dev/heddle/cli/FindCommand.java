package dev.heddle.cli;

import dev.heddle.isa.Form;
import dev.heddle.isa.Target;
import dev.heddle.isa.search.FormSearch;
import dev.heddle.isa.search.OpcodeCompletion;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// `heddle find`: the forms that a few words ask for, best first.
final class FindCommand extends Command {
    private static final int USUAL_LIMIT = 10;

    @Override
    String help() {
        return """
        Find a form by whatever you have: types, shapes and kinds in any spelling, a
            disassembler's name, a part of an opcode, inline assembly. One opcode a line,
            best first; what was not understood is said on standard error.

        WORD ...  What the form has.
        --limit N  At most N forms (default %d).
        --json  One JSON object: asked, unknown, matching, forms.

        Examples:
          heddle find f16 16x8x16
          heddle find wgmma e4m3 sparse
          heddle find HMMA.16816.F32           a name that a disassembler printed
          heddle find nvfp4 --json

        Exit codes: 0 found; 1 no form has all of it, the nearest are printed; 2 nothing was \
        understood, or wrong usage.
        """
                .formatted(USUAL_LIMIT);
    }

    @Override
    void adjust(CommandSpec spec) {
        PositionalParamSpec words = spec.positionalParameters().getFirst();
        spec.remove(words);
        spec.addPositional(words.toBuilder().arity("0..*").required(false).build());
        spec.addOption(
                OptionSpec.builder("--complete")
                        .paramLabel("WORD")
                        .type(String.class)
                        .arity("1")
                        .description("What Tab completes an opcode to; for shells.")
                        .hidden(true)
                        .build());
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String prefix = value(given, "--complete");
        if (prefix != null) {
            OpcodeCompletion.of(prefix).forEach(out::println);
            return 0;
        }
        String text = String.join(" ", words(given));
        if (text.isBlank()) {
            throw new UsageError("find: expected a word, such as heddle find f16 16x8x16");
        }
        int limit = limit(value(given, "--limit"));
        FormSearch search = FormSearch.of(text);
        if (has(given, "--json")) {
            out.println(Json.line(object(search, limit)));
        } else {
            search.unknown().forEach(note -> err.println("heddle: " + note));
            search.forms().stream().limit(limit).forEach(match -> out.println(match.form()));
            remark(search, limit, err);
        }
        return search.complete() ? 0 : search.forms().isEmpty() ? 2 : 1;
    }

    private static int limit(@Nullable String text) {
        int limit = text == null ? USUAL_LIMIT : Numbers.parse("--limit", text, 1, 1)[0];
        if (limit < 1) {
            throw new UsageError("--limit " + limit + ": expected 1 or more");
        }
        return limit;
    }

    private static void remark(FormSearch search, int limit, PrintWriter err) {
        int matching = search.forms().size();
        if (matching == 0) {
            err.println(
                    "heddle: no form found; words are types (f16), shapes (m16n8k16, 16x8x16),"
                            + " wgmma, sparse, kinds (mxf4), names such as HMMA.16816.F32");
        } else if (!search.complete()) {
            err.println(
                    "heddle: no form has all of that; these are the nearest, without "
                            + search.forms().stream()
                                    .limit(limit)
                                    .flatMap(match -> match.missed().stream())
                                    .distinct()
                                    .collect(Collectors.joining(" or ")));
        }
        if (matching > limit) {
            err.println("heddle: %d more: --limit %d".formatted(matching - limit, matching));
        }
    }

    private static Map<String, Object> object(FormSearch search, int limit) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", search.text());
        object.put("complete", search.complete());
        object.put(
                "asked",
                search.asked().stream()
                        .map(asked -> Map.of("word", asked.word(), "meaning", asked.meaning()))
                        .toList());
        object.put("unknown", search.unknown());
        object.put("matching", search.forms().size());
        object.put("forms", search.forms().stream().limit(limit).map(FindCommand::object).toList());
        return object;
    }

    private static Map<String, Object> object(FormSearch.Match match) {
        Form form = match.form();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", form.opcode());
        object.put("a_source", form.aSource().word());
        object.put("missed", match.missed());
        object.put("ptx", form.requirement().version().toString());
        List<String> targets =
                form.requirement().supported().stream().map(Target::toString).toList();
        object.put("targets", targets);
        object.put("section", form.syntax().section());
        return object;
    }
}
