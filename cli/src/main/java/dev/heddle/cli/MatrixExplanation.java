package dev.heddle.cli;

import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Granularity;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Legality;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Operand;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Shape;
import dev.heddle.isa.Target;
import dev.heddle.isa.Violation;
import dev.heddle.isa.search.SourceScan;
import dev.heddle.tensorcore.numerics.Generation;
import dev.heddle.tensorcore.numerics.Numerics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// An instruction in words: what it computes, its operands, its rules, a picture.
///
/// @param legality what the instruction is, and the rules it breaks
/// @param text     the instruction as it was written, comments taken out
record MatrixExplanation(Legality legality, String text) {
    /// Characters of an instruction that are shown, and how many of them before what is wrong.
    private static final int WIDTH = 90;

    private static final int MARGIN = 40;
    private static final int PICTURE_ROWS = 6;
    private static final int PICTURE_COLUMNS = 8;

    /// The explanation for people.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Violation violation : legality.violations()) {
            lines.add("%s: %s".formatted(violation.verdict(), violation.message()));
            lines.addAll(marked(violation));
            lines.add(
                    "    rule %s, PTX ISA %s"
                            .formatted(violation.rule().id(), violation.section()));
        }
        for (String near : legality.nearest()) {
            lines.add("    nearest legal form: " + near);
        }
        if (!legality.violations().isEmpty() && !legality.forms().isEmpty()) {
            lines.add("");
        }
        for (Form form : legality.forms()) {
            describe(form, lines);
            lines.add("");
        }
        return lines;
    }

    /// The instruction, or the part of it around what is wrong, with carets under that.
    private List<String> marked(Violation violation) {
        String line = text.strip().replaceAll("\\s+", " ");
        List<int[]> places = SourceScan.places(legality, violation, line);
        int first = places.getFirst()[0];
        int from = Math.clamp(first - MARGIN, 0, Math.max(0, line.length() - WIDTH));
        int to = Math.min(line.length(), Math.max(from + WIDTH, places.getLast()[1]));
        String before = from == 0 ? "" : "...";
        StringBuilder carets = new StringBuilder(" ".repeat(before.length()));
        for (int[] place : places) {
            carets.append(" ".repeat(before.length() + place[0] - from - carets.length()));
            carets.append("^".repeat(Math.max(1, place[1] - place[0])));
        }
        String behind = to == line.length() ? "" : "...";
        return List.of("    " + before + line.substring(from, to) + behind, "    " + carets);
    }

    private static void describe(Form form, List<String> lines) {
        lines.add(form.toString());
        lines.add("  " + meaning(form));
        lines.add("  PTX ISA %s; needs %s".formatted(form.syntax().section(), form.requirement()));
        lines.add("");
        List<Operand> operands = form.operands();
        int name = operands.stream().mapToInt(o -> o.name().length()).max().orElse(0);
        for (Operand operand : operands) {
            lines.add("  " + pad(operand.name(), name) + "  " + describe(operand));
        }
        form.metadata().ifPresent(metadata -> describe(metadata, lines));
        numerics(form, lines);
        lines.add("");
        picture(form).forEach(line -> lines.add("  " + line));
    }

    private static List<String> picture(Form form) {
        List<String> lines = new ArrayList<>();
        OperandName first = form.aSource() == ASource.REGISTERS ? OperandName.A : OperandName.D;
        lines.addAll(small(form, first));
        if (form.sparse()) {
            lines.add("");
            lines.addAll(small(form, OperandName.E));
        }
        return lines;
    }

    private static List<String> small(Form form, OperandName operand) {
        return Picture.of(form, operand, LayoutEntry.Selection.FIRST)
                .small(PICTURE_ROWS, PICTURE_COLUMNS)
                .lines();
    }

    private static String meaning(Form form) {
        Shape shape = form.shape();
        String who = form.lanes() == 32 ? "one warp" : "one warpgroup of four warps";
        String what =
                form.bitOperation()
                        .map(op -> "D = popc(A " + op + " B) + C")
                        .orElse(
                                form.blockScaled()
                                        ? "D = (A * scale_A) * (B * scale_B) + C"
                                        : form.family().warpgroup()
                                                ? "D = A * B + D, or A * B if scale-d is false"
                                                : "D = A * B + C");
        String stored =
                form.granularity()
                        .map(each -> " sparse %s, stored as %sx".formatted(each, shape.m()))
                        .map(each -> each + form.storedColumns())
                        .orElse("");
        return "%s; %s; A %sx%s%s, B %sx%s, D %sx%s%s"
                .formatted(
                        what,
                        who,
                        shape.m(),
                        shape.k(),
                        stored,
                        shape.k(),
                        shape.n(),
                        shape.m(),
                        shape.n(),
                        form.quadPairs() ? "; four such products at once" : "");
    }

    private static String describe(Operand operand) {
        // Linking a pattern switch would take longer than the whole look-up.
        if (operand instanceof Operand.Matrix matrix) {
            Fragment fragment = matrix.fragment();
            return "%s %sx%s %s in %s; %s; %s"
                    .formatted(
                            fragment.role(),
                            fragment.rows(),
                            fragment.columns(),
                            fragment.format().ptxName(),
                            matrix.description(),
                            fragment.layout(),
                            fragment.source());
        }
        if (operand instanceof Operand.Descriptor descriptor) {
            return descriptor.role()
                    + " in shared memory: a 64-bit matrix descriptor; PTX ISA 9.7.15.5.1.2.2";
        }
        if (operand instanceof Operand.MetadataWord word) {
            return "sparsity metadata, one .b32 register; %s; %s"
                    .formatted(word.metadata().layout(), word.metadata().source());
        }
        if (operand instanceof Operand.Selector selector) {
            return "sparsity selector, a constant: " + choices(selector.legal());
        }
        if (operand instanceof Operand.ScaleData data) {
            return "scale factors of %s, %s, %sX: each for %s along K; one .b32 register; %s"
                    .formatted(
                            data.factors().role(),
                            data.factors().format().ptxName(),
                            data.factors().vectors(),
                            data.factors().span(),
                            data.factors().source());
        }
        if (operand instanceof Operand.ScaleSelector selector) {
            return "which bytes and lanes supply them: byte-id %s, thread-id %s"
                    .formatted(choices(selector.byteIds()), choices(selector.threadIds()));
        }
        if (operand instanceof Operand.ScaleD) {
            return "predicate: true D = A*B + D, false D = A*B";
        }
        Operand.Immediate immediate = (Operand.Immediate) operand;
        return "a constant: %s%s"
                .formatted(
                        choices(immediate.legal()),
                        immediate.name().startsWith("imm-scale")
                                ? " (-1 negates the matrix)"
                                : " (1: M- or N-major in shared memory)");
    }

    private static void describe(Metadata metadata, List<String> lines) {
        Granularity granularity = metadata.granularity();
        lines.add("");
        lines.add(
                "  sparsity %s: of every %s columns %s are stored; a 4-bit nibble says which"
                        .formatted(granularity, granularity.width(), granularity.stored()));
        lines.add(
                "  valid nibbles: "
                        + metadata.validNibbles().stream()
                                .map(MatrixExplanation::binary)
                                .collect(Collectors.joining(" "))
                        + "; any other is undefined");
        for (int selector : metadata.selectorValues()) {
            String threads =
                    metadata.suppliers(selector).stream()
                            .filter(lane -> lane < 4)
                            .map(lane -> "T" + lane)
                            .collect(Collectors.joining(", "));
            lines.add(
                    "  selector %s: metadata from threads %s of every four"
                            .formatted(selector, threads));
        }
    }

    /// How the generations compute it, those that agree on one line.
    private static void numerics(Form form, List<String> lines) {
        Map<String, List<String>> generations = new LinkedHashMap<>();
        for (Generation generation : Generation.values()) {
            Numerics.of(form, generation)
                    .map(rule -> rule.description() + " " + rule.evidence())
                    .map(rule -> generations.computeIfAbsent(rule, _ -> new ArrayList<>()))
                    .ifPresent(those -> those.add(generation.toString()));
        }
        if (!generations.isEmpty()) {
            lines.add("");
            lines.add("  numerics");
        }
        generations.forEach(
                (rule, names) -> lines.add("  " + String.join(" ", names) + ": " + rule));
    }

    private static String binary(int nibble) {
        return "0b" + Integer.toBinaryString(16 + nibble).substring(1);
    }

    private static String choices(List<Integer> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(" or "));
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    /// The explanation for programs.
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("legal", legality.legal());
        object.put(
                "violations",
                legality.violations().stream().map(MatrixExplanation::object).toList());
        object.put("nearest", legality.nearest());
        object.put("forms", legality.forms().stream().map(MatrixExplanation::object).toList());
        return object;
    }

    private static Map<String, Object> object(Violation violation) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("outcome", violation.verdict().toString());
        object.put("rule", violation.rule().id());
        object.put("section", violation.section());
        object.put("operand", violation.operand());
        object.put("found", violation.found());
        object.put("allowed", violation.allowed());
        object.put("message", violation.message());
        return object;
    }

    private static Map<String, Object> object(Form form) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("opcode", form.opcode());
        object.put("a_source", form.aSource().word());
        object.put("section", form.syntax().section());
        object.put("ptx", form.requirement().version().toString());
        object.put(
                "targets", form.requirement().supported().stream().map(Target::toString).toList());
        List<Map<String, Object>> operands = new ArrayList<>();
        for (Operand operand : form.operands()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", operand.name());
            if (operand instanceof Operand.Matrix matrix) {
                one.put("type", matrix.fragment().format().ptxName());
                one.put("rows", matrix.fragment().rows());
                one.put("columns", matrix.fragment().columns());
                one.put("registers", matrix.registers());
                one.put("register_type", matrix.accepts().declared().toString());
                one.put("layout", matrix.fragment().layout().toString());
            }
            if (operand instanceof Operand.Selector selector) {
                one.put("legal", selector.legal());
            }
            if (operand instanceof Operand.Immediate immediate) {
                one.put("legal", immediate.legal());
            }
            one.put("description", describe(operand));
            operands.add(one);
        }
        object.put("operands", operands);
        return object;
    }
}
