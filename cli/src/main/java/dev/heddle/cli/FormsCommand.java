package dev.heddle.cli;

import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Target;
import dev.heddle.isa.search.FormFilter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ParseResult;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// `heddle forms`: every legal form, one a line.
final class FormsCommand extends Command {
    private static final String IN = "--in";

    @Override
    String help() {
        return """
        List every legal form, one a line.

        --family F  One of ${COMPLETION-CANDIDATES}.
        --target T  Only forms that this target has, as sm_90a.
        --ptx V  Only forms that this PTX ISA version has, as 8.7.
        --shape S  Only this shape or part of one: m16n8k16, 16x8x16, k64.
        --type T  Only with a matrix of this type, as f16, e4m3 or fp8.
        --kind K  Only of this kind, as mxf4, sparse, scaled or satfinite.
        --in FILE  Only forms that stand in a PTX file, or in the PTX inside an executable,
            with at how many places.
        --json  One JSON object a line.

        Examples:
          heddle forms                                  all of them
          heddle forms --family mma.sp --target sm_90   what sm_90 has of mma.sp
          heddle forms --shape 16x8x32 --type fp8       one shape, a type of A, B, C or D
          heddle forms --family wgmma.mma_async --json  one JSON object a line
          heddle forms --in ./program                   what a program uses

        Exit codes: 0 there are some; 1 no form has all of that; 2 wrong usage.
        """;
    }

    @Override
    Map<String, ? extends Iterable<String>> choices() {
        return Map.of("--family", Completions.families(), "--target", Completions.targets());
    }

    @Override
    int run(ParseResult given, PrintWriter out, PrintWriter err) {
        String family = value(given, "--family");
        String target = value(given, "--target");
        String version = value(given, "--ptx");
        String in = value(given, IN);
        UsedForms used = in == null ? null : UsedForms.in(in);
        boolean json = has(given, "--json");
        List<Family> families =
                family == null ? List.of(Family.values()) : List.of(Family.parse(family));
        Target on = target == null ? null : Target.parse(target);
        PtxVersion at = version == null ? PtxVersion.NEWEST : PtxVersion.parse(version);
        if (on != null && !at.atLeast(on.since())) {
            throw new UsageError(
                    "PTX ISA " + at + " has no target " + on + ": it came with " + on.since());
        }
        Predicate<Form> wanted = wanted(given);
        boolean any = false;
        for (Family each : families) {
            for (Form form : Forms.of(each)) {
                if (wanted.test(form)
                        && (used == null || used.places(form) > 0)
                        && (on == null || form.requirement().targets().include(on))
                        && at.atLeast(form.requirement().version())) {
                    out.println(json ? Json.line(object(form, used)) : line(form, used));
                    any = true;
                }
            }
        }
        if (!any) {
            err.println("no form has all of that; heddle find shows the nearest");
        }
        return any ? 0 : 1;
    }

    /// What the options about forms ask for.
    private static Predicate<Form> wanted(ParseResult given) {
        Predicate<Form> wanted = _ -> true;
        String shape = value(given, "--shape");
        String type = value(given, "--type");
        String kind = value(given, "--kind");
        wanted = shape == null ? wanted : wanted.and(FormFilter.shape(shape));
        wanted = type == null ? wanted : wanted.and(FormFilter.type(type));
        return kind == null ? wanted : wanted.and(FormFilter.kind(kind));
    }

    private static String line(Form form, @Nullable UsedForms used) {
        return used == null ? form.toString() : "%6d  %s".formatted(used.places(form), form);
    }

    private static Map<String, Object> object(Form form, @Nullable UsedForms used) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", form.opcode());
        object.put("family", form.family().mnemonic());
        object.put("shape", form.shape().toString());
        object.put("a_source", form.aSource().word());
        object.put("ptx", form.requirement().version().toString());
        object.put(
                "targets", form.requirement().supported().stream().map(Target::toString).toList());
        object.put("section", form.syntax().section());
        if (used != null) {
            object.put("places", used.places(form));
        }
        return object;
    }
}
