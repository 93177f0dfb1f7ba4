package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Forms;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.tensorcore.numerics.Generation;

import tools.jackson.jr.ob.JSON;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The page as a folder of files that works from any web server, or opened as a file.
///
/// Data are scripts, because a page that was opened as a file may load nothing else. Forms that
/// differ only in types share the files of their layouts. Of wgmma's 32 widths three are exported
/// unless others are named, which keeps the folder small. Checking whole instructions, descriptors
/// of one's own and stepping through values of one's own need the model itself, and the exported
/// page says so.
public final class SiteExport {
    private static final Set<Integer> WIDTHS = Set.of(8, 16, 32);

    private final Path folder;
    private final Map<List<Object>, String> names = new HashMap<>();

    private SiteExport(Path folder) {
        this.folder = folder;
    }

    /// The forms that a site has unless others are named: all of mma, and of wgmma three widths.
    public static List<Form> usual() {
        return Forms.all().stream()
                .filter(form -> !form.family().warpgroup() || WIDTHS.contains(form.shape().n()))
                .toList();
    }

    /// Writes a site.
    ///
    /// @param forms what it has; the page opens on its usual form if that is among them, else on
    ///              the first
    /// @return how many files it has
    /// @throws IOException if the folder cannot be written
    /// @throws IllegalArgumentException if there are no forms
    public static int write(Path folder, List<Form> forms) throws IOException {
        if (forms.isEmpty()) {
            throw new IllegalArgumentException("a site needs at least one form");
        }
        return new SiteExport(folder).write(forms);
    }

    private int write(List<Form> forms) throws IOException {
        Files.createDirectories(folder.resolve("data"));
        int files = 0;
        for (PageFile file : Set.copyOf(PageFile.all().values())) {
            String text =
                    file.name().equals("index.html")
                            ? file.text()
                                    .replace(
                                            "<html lang=\"en\"",
                                            "<html lang=\"en\" data-exported=\"true\"")
                            : file.text();
            Files.writeString(folder.resolve(file.name()), text);
            files++;
        }
        Map<Form, String> places = new LinkedHashMap<>();
        for (Form form : new LinkedHashSet<>(forms)) {
            String name = "form" + places.size();
            places.put(form, name);
            data(name, document(form));
        }
        data("catalogue", Catalogue.of(places));
        data("style", Figure.styleSheet());
        return files + places.size() + names.size() + 2;
    }

    private Map<String, Object> document(Form form) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>(FormDocument.of(form));
        Map<String, String> files = new LinkedHashMap<>();
        Map<String, Object> captions = new LinkedHashMap<>();
        Map<String, Object> frames = new LinkedHashMap<>();
        Map<String, Object> arithmetic = new LinkedHashMap<>();
        for (OperandName operand : Drawable.of(form)) {
            for (LayoutEntry.Selection selection : selections(form, operand)) {
                String key = operand + "/" + selection.selector() + "/" + selection.thread();
                Figure figure = Figure.of(form, operand, selection);
                captions.put(key, figure.caption());
                frames.put(key, figure.frame());
                arithmetic.put(key, IndexArithmetic.of(form, operand));
                files.put(key, shared(form, operand, selection));
            }
        }
        document.put("files", files);
        document.put("executions", executions(form));
        document.put("memory", memory(form));
        document.put("captions", captions);
        document.put("frames", frames);
        document.put("arithmetic", arithmetic);
        return document;
    }

    private static List<LayoutEntry.Selection> selections(Form form, OperandName operand) {
        return switch (operand) {
            case A, B, C, D -> List.of(LayoutEntry.Selection.FIRST);
            case E ->
                    LayoutEntry.metadata(form).selectorValues().stream()
                            .map(f -> new LayoutEntry.Selection(f, 0))
                            .toList();
            case SFA -> selections(LayoutEntry.scaleFactors(form, Role.A));
            case SFB -> selections(LayoutEntry.scaleFactors(form, Role.B));
        };
    }

    private static List<LayoutEntry.Selection> selections(ScaleFactors factors) {
        List<LayoutEntry.Selection> selections = new ArrayList<>();
        for (int byteId : factors.byteIds()) {
            for (int threadId : factors.threadIds()) {
                selections.add(new LayoutEntry.Selection(byteId, threadId));
            }
        }
        return selections;
    }

    /// How the example's elements of D are made, by generation and element.
    private Map<String, String> executions(Form form) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (Generation generation : Generation.values()) {
            if (!generation.has(form)) {
                continue;
            }
            for (int row = 0; row < Example.DIFFERENT; row++) {
                files.put(
                        generation + "/" + row,
                        content(
                                "execution",
                                Execution.document(
                                        form, generation, Example.of(form).question(row))));
            }
        }
        return files;
    }

    /// The matrices in shared memory, without gaps, by role, direction and swizzle.
    private Map<String, Object> memory(Form form) throws IOException {
        Map<String, Object> files = new LinkedHashMap<>();
        for (FormDocument.SharedOperand operand : FormDocument.sharedOperands(form)) {
            for (SharedMatrix.Major major : operand.majors()) {
                for (SwizzleMode mode : SwizzleMode.values()) {
                    Map<String, Object> document =
                            Api.shared(
                                    form,
                                    operand.role(),
                                    SharedMemoryFigure.packed(form, operand.role(), mode),
                                    major);
                    Object caption = document.remove("caption");
                    document.replaceAll((name, value) -> anonymous(value));
                    files.put(
                            operand.role() + "/" + major + "/" + mode.ordinal(),
                            List.of(content("memory", document), caption));
                }
            }
        }
        return files;
    }

    /// The file of an answer, the same for the same content.
    private String content(String kind, Map<String, Object> document) throws IOException {
        String text = JSON.std.asString(document);
        String known = names.get(List.of(text));
        if (known == null) {
            known = kind + names.size();
            names.put(List.of(text), known);
            Files.writeString(file(known), receive(known, text));
        }
        return known;
    }

    /// The file of a layout, written when it is first needed.
    private String shared(Form form, OperandName operand, LayoutEntry.Selection selection)
            throws IOException {
        List<Object> layout = layout(form, operand, selection);
        String known = names.get(layout);
        if (known == null) {
            known = "layout" + names.size();
            names.put(layout, known);
            Map<String, Object> drawn =
                    new LinkedHashMap<>(OperandDocument.of(form, operand, selection));
            drawn.remove("caption");
            drawn.remove("arithmetic");
            drawn.replaceAll((name, value) -> anonymous(value));
            data(known, drawn);
        }
        return known;
    }

    /// All that a drawing and its holdings depend on.
    private static List<Object> layout(
            Form form, OperandName operand, LayoutEntry.Selection selection) {
        return switch (operand) {
            case A, B, C, D -> {
                Fragment fragment = form.fragment(operand.role().orElseThrow());
                yield List.of(
                        operand,
                        fragment.rows(),
                        fragment.columns(),
                        fragment.packing(),
                        fragment.layout().toString(),
                        form.granularity().map(Enum::name).orElse("dense"));
            }
            case E ->
                    List.of(
                            operand,
                            selection,
                            form.shape().k(),
                            LayoutEntry.metadata(form).layout().toString());
            case SFA -> scale(operand, selection, LayoutEntry.scaleFactors(form, Role.A));
            case SFB -> scale(operand, selection, LayoutEntry.scaleFactors(form, Role.B));
        };
    }

    private static List<Object> scale(
            OperandName operand, LayoutEntry.Selection selection, ScaleFactors factors) {
        return List.of(operand, selection, factors.span(), factors.layout().toString());
    }

    /// A drawing without its title, which names a form.
    private static Object anonymous(Object value) {
        return value instanceof String text && text.startsWith("<svg")
                ? text.replaceFirst("(?s)<title.*</desc>\n", "")
                        .replaceFirst(" aria-labelledby=\"[^\"]*\"", "")
                : value;
    }

    private void data(String name, Object value) throws IOException {
        Files.writeString(file(name), receive(name, JSON.std.asString(value)));
    }

    private Path file(String name) {
        return folder.resolve("data").resolve(name + ".js");
    }

    private static String receive(String name, String json) {
        return "heddle.receive(\"" + name + "\"," + json + ");\n";
    }
}
