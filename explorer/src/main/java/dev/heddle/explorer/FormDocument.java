package dev.heddle.explorer;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.Rule;
import dev.heddle.isa.ScaleFactors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the page knows of a form as a whole.
final class FormDocument {
    private FormDocument() {}

    static Map<String, Object> of(Form form) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("opcode", form.opcode());
        document.put("source", form.aSource().word());
        document.put("name", form.toString());
        document.put("lanes", form.lanes());
        document.put("section", form.syntax().section());
        document.put("requirement", form.requirement().toString());
        document.put("drawable", Drawable.of(form).stream().map(Enum::name).toList());
        document.put("shared", shared(form));
        document.put("assembly", InlineAssembly.of(form));
        form.metadata().ifPresent(metadata -> document.put("sparse", sparse(form, metadata)));
        form.scaleFactors(Role.A)
                .ifPresent(factors -> document.put("scaleA", scaleSelection(factors)));
        form.scaleFactors(Role.B)
                .ifPresent(factors -> document.put("scaleB", scaleSelection(factors)));
        return document;
    }

    private static List<Object> shared(Form form) {
        if (!form.family().warpgroup()) {
            return List.of();
        }
        return form.aSource() == ASource.SHARED_MEMORY
                ? List.of(sharedMatrix(form, Role.A), sharedMatrix(form, Role.B))
                : List.of(sharedMatrix(form, Role.B));
    }

    private static Map<String, Object> sharedMatrix(Form form, Role role) {
        return Map.of(
                "role",
                role.name(),
                "majors",
                form.type(role).bits() == 16 ? List.of("K", "MN") : List.of("K"));
    }

    private static Map<String, Object> scaleSelection(ScaleFactors factors) {
        return Map.of("byteIds", factors.byteIds(), "threadIds", factors.threadIds());
    }

    private static Map<String, Object> sparse(Form form, Metadata metadata) {
        Granularity granularity = metadata.granularity();
        List<Object> nibbles = new ArrayList<>();
        for (int nibble = 0; nibble < 16; nibble++) {
            nibbles.add(nibble(metadata, nibble));
        }
        List<Object> patterns = new ArrayList<>();
        for (int nibble : granularity.nibbles(true)) {
            patterns.add(nibble);
        }
        Map<String, Object> sparse = new LinkedHashMap<>();
        sparse.put("granularity", granularity.toString());
        sparse.put("width", granularity.width());
        sparse.put("stored", granularity.stored());
        sparse.put("chunks", metadata.chunks());
        sparse.put("rows", form.shape().m());
        sparse.put("columns", form.shape().k());
        sparse.put("selectors", metadata.selectorValues());
        sparse.put("patterns", patterns);
        sparse.put("nibbles", nibbles);
        return sparse;
    }

    /// The columns that a nibble keeps, or the rule that it breaks.
    private static Map<String, Object> nibble(Metadata metadata, int nibble) {
        Granularity granularity = metadata.granularity();
        if (metadata.validNibbles().contains(nibble)) {
            List<Integer> columns = new ArrayList<>();
            for (int index = 0; index < granularity.stored(); index++) {
                columns.add(granularity.column(nibble, index));
            }
            return Map.of("columns", columns);
        }
        Rule rule =
                granularity == Granularity.ONE_OF_TWO
                        ? Rule.METADATA_TF32
                        : (nibble & 3) == nibble >> 2
                                ? Rule.METADATA_EQUAL_INDICES
                                : Rule.METADATA_ORDERED;
        return Map.of(
                "reason",
                rule.outcome()
                        + ": "
                        + rule.text()
                        + ", found indices "
                        + (nibble & 3)
                        + " and "
                        + (nibble >> 2)
                        + " ["
                        + rule.id()
                        + ", PTX ISA "
                        + rule.section()
                        + "]");
    }
}
