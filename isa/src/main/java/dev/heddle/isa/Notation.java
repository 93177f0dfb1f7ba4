package dev.heddle.isa;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Reads syntax in the manual's own notation.
///
/// A block is syntax lines followed by the lists that its names stand for; a line ends with what it
/// requires. A name may be optional (`{.satfinite}`), and a list may count on (`8, 16 .. 256`):
///
/// ```
/// mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32  d, a, b, c;   [7.0 sm_80]
/// .shape = {.m16n8k16, .m16n8k32};
/// .atype = {.u8, .s8};
/// .btype = {.u8, .s8};
/// ```
final class Notation {
    private final Map<String, List<String>> lists = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    private Notation(String block) {
        for (String line : block.strip().split("\n", -1)) {
            int equals = line.indexOf(" = {");
            if (equals < 0) {
                lines.add(line.strip());
            } else {
                String name = line.substring(0, equals).strip();
                String values = line.substring(equals + 4, line.indexOf('}', equals));
                lists.put(name.startsWith(".") ? name.substring(1) : name, values(values));
            }
        }
    }

    /// The syntaxes of blocks separated by blank lines, in order.
    static List<Syntax> parse(String section, String blocks) {
        List<Syntax> syntaxes = new ArrayList<>();
        String rest = blocks.strip();
        while (!rest.isEmpty()) {
            int gap = rest.indexOf("\n\n");
            Notation notation = new Notation(gap < 0 ? rest : rest.substring(0, gap));
            rest = gap < 0 ? "" : rest.substring(gap).strip();
            for (String line : notation.lines) {
                for (Family family : notation.families(line)) {
                    syntaxes.add(notation.syntax(family, section, line));
                }
            }
        }
        return List.copyOf(syntaxes);
    }

    /// `.a, .b` or `8, 16 .. 256` as a list without dots.
    private static List<String> values(String text) {
        List<String> values = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf(" .. ");
            String first = (dots < 0 ? part : part.substring(0, dots)).strip();
            values.add(bare(first));
            if (dots >= 0) {
                int end = Integer.parseInt(part.substring(dots + 4).strip());
                int last = Integer.parseInt(first);
                int step = last - Integer.parseInt(values.get(values.size() - 2));
                for (int next = last + step; next <= end; next += step) {
                    values.add(String.valueOf(next));
                }
            }
        }
        return values;
    }

    private static String bare(String value) {
        String stripped = value.strip();
        return stripped.startsWith(".") ? stripped.substring(1) : stripped;
    }

    private List<Family> families(String line) {
        if (line.startsWith("wgmma.mma_async.sp.")) {
            return List.of(Family.WGMMA_SP);
        }
        if (line.startsWith("wgmma.")) {
            return List.of(Family.WGMMA);
        }
        if (line.startsWith("mma.spvariant.")) {
            return lists.getOrDefault("spvariant", List.of()).stream()
                    .map(variant -> Family.parse("mma." + variant))
                    .toList();
        }
        return List.of(Family.MMA);
    }

    private Syntax syntax(Family family, String section, String line) {
        int space = line.indexOf(' ');
        int semicolon = line.indexOf(';');
        int bracket = line.indexOf('[');
        String requirement = line.substring(bracket + 1, line.indexOf(']'));
        return new Syntax(
                family,
                section,
                places(line.substring(0, space)),
                operands(line.substring(space, semicolon)),
                Requirement.parse(requirement).notBefore(family.since()),
                line.substring(0, semicolon + 1));
    }

    private Map<Qualifier, List<String>> places(String pattern) {
        Map<Qualifier, List<String>> places = new EnumMap<>(Qualifier.class);
        int types = 0;
        for (String word : pattern.replace("{.", ".?").replace("}", "").split("\\.", -1)) {
            boolean optional = word.startsWith("?");
            String name = optional ? word.substring(1) : word;
            List<String> values = new ArrayList<>(expand(lists.getOrDefault(name, List.of(name))));
            Qualifier place = Syntax.place(values.getFirst(), places, types);
            if (place != null) {
                types += Qualifier.isType(values.getFirst()) ? 1 : 0;
                if (optional) {
                    values.addFirst("");
                }
                places.put(place, List.copyOf(values));
            }
        }
        return places;
    }

    /// A value with the name of another list in it stands for one value for each of that list:
    /// `m64nNk16`.
    private List<String> expand(List<String> values) {
        List<String> numbers = lists.get("N");
        if (numbers == null || !values.getFirst().contains("N")) {
            return values;
        }
        List<String> expanded = new ArrayList<>();
        for (String value : values) {
            numbers.forEach(n -> expanded.add(value.replace("N", n)));
        }
        return expanded;
    }

    private static List<String> operands(String text) {
        return Arrays.stream(text.replace("{", "").replace("}", "").split(",", -1))
                .map(String::strip)
                .toList();
    }
}
