package dev.heddle.explorer;

import dev.heddle.explorer.code.CudaSource;
import dev.heddle.explorer.code.CuteNotation;
import dev.heddle.explorer.code.IndexArithmetic;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.ManualAnchor;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.rule.Rule;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the page knows of a form as a whole.
final class FormDocument {
    private FormDocument() {}

    static Map<String, Object> of(Form form) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("opcode", form.opcode());
        document.put("source", form.aSource().word());
        document.put("name", form.toString());
        document.put(
                "words",
                OpcodeWords.of(form).stream()
                        .map(word -> List.of(word.text(), word.meaning()))
                        .toList());
        document.put("lanes", form.lanes());
        document.put("section", form.syntax().section());
        document.put("sectionLink", ManualAnchor.link(form.syntax().section()).orElse(""));
        document.put("requirement", form.requirement().toString());
        document.put("meaning", meaning(form));
        document.put("shape", List.of(form.shape().m(), form.shape().n(), form.shape().k()));
        document.put("types", types(form));
        document.putAll(operands(form));
        document.put("computations", form.fragment(Role.D).computations());
        document.put("generations", generations(form));
        document.put("example", ExampleOperands.of(form).document());
        document.put("shared", shared(form));
        document.put(
                "code", Map.of("cuda", CudaSource.of(form).text(), "cute", CuteNotation.of(form)));
        form.metadata().ifPresent(metadata -> document.put("sparse", sparse(form, metadata)));
        form.scaleFactors(Role.A)
                .ifPresent(factors -> document.put("scaleA", scaleSelection(factors)));
        form.scaleFactors(Role.B)
                .ifPresent(factors -> document.put("scaleB", scaleSelection(factors)));
        return document;
    }

    /// What is said of each operand, and why one is not there.
    private static Map<String, Object> operands(Form form) {
        Map<String, Object> tables = new LinkedHashMap<>();
        Map<String, Object> reading = new LinkedHashMap<>();
        Map<String, Object> arithmetic = new LinkedHashMap<>();
        for (OperandName operand : Drawable.of(form)) {
            tables.put(operand.name(), LayoutTable.of(form, operand));
            reading.put(operand.name(), Reading.of(form, operand));
            arithmetic.put(operand.name(), IndexArithmetic.of(form, operand));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("tables", tables);
        document.put("reading", reading);
        document.put("arithmetic", arithmetic);
        document.put(
                "operands",
                Arrays.stream(OperandName.values())
                        .map(name -> List.of(name.name(), Drawable.absence(name, form)))
                        .toList());
        return document;
    }

    private static Map<String, String> types(Form form) {
        Map<String, String> types = new LinkedHashMap<>();
        for (Role role : Role.values()) {
            types.put(role.name(), form.type(role).ptxName());
        }
        return types;
    }

    /// What the instruction does, in a sentence.
    private static String meaning(Form form) {
        String product =
                form.bitOperation()
                        .map(op -> "D = popc(A " + op + " B) + C")
                        .orElse(
                                form.blockScaled()
                                        ? "D = (A × scales) × (B × scales) + C"
                                        : form.family().warpgroup()
                                                ? "D = A × B + D"
                                                : "D = A × B + C");
        String who = form.lanes() == 32 ? "The 32 lanes of a warp" : "The 128 lanes of a warpgroup";
        return "%s compute %s%s%s."
                .formatted(
                        who,
                        product,
                        form.quadPairs() ? ", four times at once" : "",
                        form.sparse() ? ", A sparse " + form.granularity().orElseThrow() : "");
    }

    /// A matrix that a form reads from shared memory, and the directions that it may run in.
    record SharedOperand(Role role, List<SharedMatrix.Major> majors) {}

    static List<SharedOperand> sharedOperands(Form form) {
        if (!form.family().warpgroup()) {
            return List.of();
        }
        return Stream.of(Role.A, Role.B)
                .filter(role -> role == Role.B || form.aSource() == ASource.SHARED_MEMORY)
                .map(
                        role ->
                                new SharedOperand(
                                        role,
                                        form.type(role).bits() == 16
                                                ? List.of(SharedMatrix.Major.values())
                                                : List.of(SharedMatrix.Major.K)))
                .toList();
    }

    private static List<Object> shared(Form form) {
        return sharedOperands(form).stream()
                .<Object>map(
                        operand ->
                                Map.of(
                                        "role",
                                        operand.role().name(),
                                        "majors",
                                        operand.majors().stream().map(Enum::name).toList()))
                .toList();
    }

    private static Map<String, Object> scaleSelection(ScaleFactors factors) {
        String section = " (PTX ISA " + factors.source().section() + ")";
        return Map.of(
                "byteIds",
                choices(4, factors.byteIds(), section),
                "threadIds",
                choices(4, factors.threadIds(), section));
    }

    /// Every value below `count`, with the reason why it cannot be chosen, or none.
    private static List<Object> choices(int count, List<Integer> legal, String section) {
        String other = "expected one of " + legal + section;
        return IntStream.range(0, count)
                .<Object>mapToObj(value -> List.of(value, legal.contains(value) ? "" : other))
                .toList();
    }

    /// The generations, each with the reason why the form is not on it, or none.
    private static List<Object> generations(Form form) {
        return Arrays.stream(Generation.values())
                .<Object>map(
                        generation ->
                                List.of(
                                        generation.toString(),
                                        generation.products(),
                                        generation.has(form) ? "" : "needs " + form.requirement()))
                .toList();
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
        sparse.put(
                "selectors",
                choices(
                        4,
                        metadata.selectorValues(),
                        " (PTX ISA " + metadata.source().section() + ")"));
        sparse.put("patterns", patterns);
        sparse.put("example", ExampleOperands.rows(row -> ExampleOperands.of(form).nibbles(row)));
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
        Rule rule = granularity.brokenBy(nibble);
        return Map.of(
                "reason",
                "%s: %s, found indices %s and %s [%s, PTX ISA %s]"
                        .formatted(
                                rule.verdict(),
                                rule.text(),
                                nibble & 3,
                                nibble >> 2,
                                rule.id(),
                                rule.section()));
    }
}
