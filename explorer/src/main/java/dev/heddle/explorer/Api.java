package dev.heddle.explorer;

import dev.heddle.formats.InputException;
import dev.heddle.isa.ASource;
import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.Legality;
import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.PtxVersion;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SourceInstruction;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.isa.Target;
import dev.heddle.isa.Violation;
import dev.heddle.tensorcore.numerics.Generation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The questions that the page asks, answered by the model.
///
/// Questions are plain text from anywhere; whatever they say, the answer is data or a message.
public final class Api {
    /// A question longer than this, in characters of one value, is refused.
    private static final int LONGEST = 20_000;

    /// Answers a question.
    ///
    /// @param name  its name, as `form`
    /// @param query the values, decoded
    public Answer answer(String name, Map<String, String> query) {
        try {
            for (String value : query.values()) {
                if (value.length() > LONGEST) {
                    return Answer.none(
                            "a value of "
                                    + value.length()
                                    + " characters: expected at most "
                                    + LONGEST);
                }
            }
            return known(name, new Query(query));
        } catch (InputException e) {
            return Answer.none(e.getMessage());
        }
    }

    /// Answers a question whose text is too long for an address.
    ///
    /// @param name `file`
    /// @param text the text of a PTX or CUDA file
    public Answer answer(String name, String text) {
        return name.equals("file")
                ? Answer.json(SourceListing.file(text))
                : Answer.refusal(404, "unknown question \"" + name + "\": expected file");
    }

    private static Answer known(String name, Query query) {
        return switch (name) {
            case "catalogue" -> Answer.json(Catalogue.ofAll());
            case "form" -> Answer.json(FormDocument.of(query.form()));
            case "operand" ->
                    Answer.json(
                            OperandDocument.of(query.form(), query.operand(), query.selection()));
            case "figure" ->
                    new Answer(
                            200,
                            "image/svg+xml",
                            Figure.of(query.form(), query.operand(), query.selection()).svg());
            case "where" -> Answer.json(where(query));
            case "find" -> Answer.json(SourceListing.found(query.text("text")));
            case "instruction" -> Answer.json(instruction(query));
            case "shared" -> Answer.json(shared(query));
            case "load" -> Answer.json(load(query));
            case "difference" ->
                    Answer.json(
                            Difference.find(
                                    query.form(),
                                    Generation.of(query.text("generation")),
                                    Generation.of(query.text("other"))));
            case "execution" ->
                    Answer.json(
                            ElementExecution.document(
                                    query.form(),
                                    Generation.of(query.text("generation")),
                                    query.values()));
            default ->
                    Answer.refusal(
                            404,
                            "unknown question \""
                                    + name
                                    + "\": expected catalogue, find, form, operand, figure, where,"
                                    + " instruction, shared, load, difference or execution");
        };
    }

    /// What holds an element, or what a lane holds: the answer of `heddle where`.
    private static Object where(Query query) {
        Form form = query.form();
        OperandName operand = Drawable.check(query.operand(), form);
        List<LayoutEntry> all = LayoutEntry.of(form, operand, query.selection());
        if (query.has("lane")) {
            int lane = query.number("lane", 0, form.lanes() - 1);
            int register = query.has("register") ? query.number("register", 0, 255) : -1;
            return all.stream()
                    .filter(h -> h.lane() == lane && (register < 0 || h.register() == register))
                    .map(h -> OperandDocument.object(operand, h))
                    .toList();
        }
        int rows = all.stream().mapToInt(LayoutEntry::rowLast).max().orElse(0);
        int columns = all.stream().mapToInt(LayoutEntry::columnLast).max().orElse(0);
        int row = query.number("row", 0, rows);
        int column = query.number("column", 0, columns);
        return all.stream()
                .filter(h -> h.covers(row, column))
                .map(h -> OperandDocument.object(operand, h))
                .toList();
    }

    private static Object instruction(Query query) {
        String text = query.text("text");
        Legality legality = Legality.of(SourceInstruction.parse(text));
        if (query.has("target")) {
            Target target = Target.parse(query.text("target"));
            PtxVersion version =
                    query.has("version")
                            ? PtxVersion.parse(query.text("version"))
                            : PtxVersion.NEWEST;
            legality = legality.on(target, version);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("legal", legality.legal());
        document.put(
                "forms",
                legality.forms().stream()
                        .map(form -> List.of(form.opcode(), form.aSource().word()))
                        .toList());
        List<Object> violations = new ArrayList<>();
        for (Violation v : legality.violations()) {
            violations.add(
                    Map.of(
                            "outcome", v.verdict().toString(),
                            "message", v.message(),
                            "rule", v.rule().id(),
                            "section", v.section(),
                            "operand", v.operand()));
        }
        document.put("violations", violations);
        document.put("marks", SourceListing.marks(legality, text));
        document.put("nearest", legality.nearest());
        return document;
    }

    /// How a fragment is loaded from shared memory.
    private static Object load(Query query) {
        Role role = query.has("role") && query.text("role").equals("B") ? Role.B : Role.A;
        SwizzleMode mode = SwizzleMode.values()[query.has("mode") ? query.number("mode", 0, 3) : 0];
        Form form = query.form();
        LoadPath path =
                query.has("pitch")
                        ? new LoadPath(form, role, query.number("pitch", 16, 4096), mode)
                        : LoadPath.usual(form, role, mode);
        return path.document(query.has("words"));
    }

    private static Object shared(Query query) {
        Form form = query.form();
        Role role = query.has("role") && query.text("role").equals("A") ? Role.A : Role.B;
        SharedMatrix.Major major =
                query.has("major") && query.text("major").equals("MN")
                        ? SharedMatrix.Major.MN
                        : SharedMatrix.Major.K;
        Map<String, Object> document = shared(form, role, descriptor(query, form, role), major);
        if (query.has("descriptor")) {
            List<String> advice =
                    new ArrayList<>(DescriptorAdvice.ofRegister(query.hexadecimal("descriptor")));
            if (document.get("advice") instanceof List<?> more) {
                more.forEach(each -> advice.add(String.valueOf(each)));
            }
            document.put("advice", advice);
        }
        return document;
    }

    /// A descriptor from its fields, from a register, or of a matrix without gaps.
    private static MatrixDescriptor descriptor(Query query, Form form, Role role) {
        SwizzleMode mode = SwizzleMode.values()[query.has("mode") ? query.number("mode", 0, 3) : 1];
        if (query.has("stride")) {
            return new MatrixDescriptor(
                    query.number("start", 0, MatrixDescriptor.LONGEST),
                    query.number("leading", 0, MatrixDescriptor.LONGEST),
                    query.number("stride", 0, MatrixDescriptor.LONGEST),
                    query.number("base", 0, 7),
                    mode);
        }
        return query.has("descriptor")
                ? MatrixDescriptor.decode(query.hexadecimal("descriptor"))
                : SharedMemoryFigure.packed(form, role, mode);
    }

    /// What the page knows of a matrix in shared memory.
    static Map<String, Object> shared(
            Form form, Role role, MatrixDescriptor descriptor, SharedMatrix.Major major) {
        SharedMemoryFigure memory =
                new SharedMemoryFigure(
                        form, role, new SharedMatrix(descriptor, major, form.type(role).bits()));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("descriptor", String.format("%016x", descriptor.encode()));
        document.put(
                "fields",
                List.of(
                        List.of("start", "start address", "13..0", descriptor.startAddress()),
                        List.of(
                                "leading",
                                "leading dimension byte offset",
                                "29..16",
                                descriptor.leadingByteOffset()),
                        List.of(
                                "stride",
                                "stride dimension byte offset",
                                "45..32",
                                descriptor.strideByteOffset()),
                        List.of("base", "base offset", "51..49", descriptor.baseOffset())));
        document.put("expression", DescriptorAdvice.expression(descriptor));
        document.put("mode", descriptor.mode().ordinal());
        Optional<String> undrawable = memory.undrawable();
        if (undrawable.isPresent()) {
            document.put("undrawable", undrawable.get());
            return document;
        }
        document.put("caption", memory.caption());
        document.put("line", memory.firstLine());
        document.put("table", memory.table());
        document.put("advice", DescriptorAdvice.of(memory));
        return document;
    }

    /// Typed access to the values of a question.
    private record Query(Map<String, String> values) {
        boolean has(String name) {
            return values.containsKey(name);
        }

        String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new InputException("\"" + name + "\" is missing");
            }
            return value;
        }

        int number(String name, int least, int greatest) {
            String text = text(name);
            try {
                int value = Integer.parseInt(text);
                if (value >= least && value <= greatest) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw new InputException(range(name, text, least, greatest), e);
            }
            throw new InputException(range(name, text, least, greatest));
        }

        private static String range(String name, String text, int least, int greatest) {
            return name + " \"" + text + "\": expected " + least + ".." + greatest;
        }

        long hexadecimal(String name) {
            String text = text(name).startsWith("0x") ? text(name).substring(2) : text(name);
            try {
                return Long.parseUnsignedLong(text, 16);
            } catch (NumberFormatException e) {
                throw new InputException(
                        name + " \"" + text + "\": expected up to 16 hexadecimal digits", e);
            }
        }

        Form form() {
            boolean named = has("source");
            String opcode = text("opcode");
            if (named) {
                for (ASource source : ASource.values()) {
                    if (source.word().equals(text("source"))) {
                        return Form.of(opcode, source);
                    }
                }
                throw new InputException("source \"" + text("source") + "\": expected reg or smem");
            }
            return Form.of(opcode);
        }

        OperandName operand() {
            return OperandName.parse(text("operand"));
        }

        LayoutEntry.Selection selection() {
            return new LayoutEntry.Selection(
                    has("selector") ? number("selector", 0, 3) : 0,
                    has("thread") ? number("thread", 0, 3) : 0);
        }
    }
}
