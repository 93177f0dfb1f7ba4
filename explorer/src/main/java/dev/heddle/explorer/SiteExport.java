package dev.heddle.explorer;

import dev.heddle.formats.InputException;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.isa.search.SearchTable;
import dev.heddle.tensorcore.numerics.Generation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The page as a folder of files that works from any web server, or opened as a file.
///
/// Data are scripts, because a page that was opened as a file may load nothing else. All forms of a
/// shape share a [Bundle]; what a generation makes of an example is in bundles of its own, because
/// it is the same for all widths. Checking whole instructions and files, descriptors of one's own
/// and stepping through values of one's own need the model itself, and the exported page says so.
public final class SiteExport {
    private final Path folder;
    private final Map<String, Bundle> bundles = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> executed = new HashMap<>();

    private SiteExport(Path folder) {
        this.folder = folder;
    }

    /// Writes a site.
    ///
    /// @param forms what it has; the page opens on its usual form if that is among them, else on
    ///              the first
    /// @return how many files it has
    /// @throws IOException if the folder cannot be written
    /// @throws InputException if there are no forms
    public static int write(Path folder, List<Form> forms) throws IOException {
        if (forms.isEmpty()) {
            throw new InputException("a site needs at least one form");
        }
        return new SiteExport(folder).write(forms);
    }

    private int write(List<Form> forms) throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Map<Form, String> places = new LinkedHashMap<>();
        for (Form form : new LinkedHashSet<>(forms)) {
            places.put(form, add(form));
        }
        Form start =
                places.containsKey(Catalogue.START)
                        ? Catalogue.START
                        : places.keySet().iterator().next();
        int files = 0;
        for (PageFile file : Set.copyOf(PageFile.all(start).values())) {
            String text =
                    switch (file.name()) {
                        case "index.html" ->
                                file.text()
                                        .replace(
                                                "<html lang=\"en\"",
                                                "<html lang=\"en\" data-exported=\"true\"");
                        case "page.js" -> file.text() + PageFile.searchScript();
                        default -> file.text();
                    };
            Files.writeString(folder.resolve(file.name()), text);
            files++;
        }
        Bundle catalogue = new Bundle();
        catalogue.add("catalogue", Map.of("all", Catalogue.of(places)));
        bundles.put("catalogue", catalogue);
        Bundle search = new Bundle();
        search.add("search", Map.of("all", SearchTable.document()));
        bundles.put("search", search);
        for (Map.Entry<String, Bundle> bundle : bundles.entrySet()) {
            Files.writeString(
                    folder.resolve("data").resolve(bundle.getKey() + ".js"),
                    bundle.getValue().script(bundle.getKey()));
        }
        return files + bundles.size();
    }

    /// Adds a form to the bundle of its shape.
    ///
    /// @return the name of the bundle
    private String add(Form form) {
        String family = "f" + form.family().ordinal();
        String name = family + form.shape();
        String steps = family + "k" + form.shape().k();
        Map<String, Object> document = new LinkedHashMap<>(FormDocument.of(form));
        document.put("memory", memory(form));
        document.put("executions", steps);
        document.put("loads", loads(form));
        bundles.computeIfAbsent(name, _ -> new Bundle()).add(key(form), document);
        bundles.computeIfAbsent(steps, _ -> new Bundle())
                .add(key(form), executed.computeIfAbsent(widthless(form), _ -> executions(form)));
        return name;
    }

    /// The load paths of a form with rows of the usual length, by matrix and swizzle.
    private static Map<String, Object> loads(Form form) {
        Map<String, Object> loads = new LinkedHashMap<>();
        if (!form.family().warpgroup() && !form.quadPairs()) {
            for (Role role : List.of(Role.A, Role.B)) {
                for (SwizzleMode mode : SwizzleMode.values()) {
                    loads.put(
                            role + "/" + mode.ordinal(),
                            LoadPath.usual(form, role, mode).document(false));
                }
            }
        }
        return loads;
    }

    private static String key(Form form) {
        return form.opcode() + "/" + form.aSource().word();
    }

    /// The form but for N, on which no element of D depends.
    private static String widthless(Form form) {
        return form.family().warpgroup()
                ? form.opcode().replaceFirst("n[0-9]+k", "nk")
                : form.opcode();
    }

    /// How the example's elements of D are made, by generation and element.
    private static Map<String, Object> executions(Form form) {
        Map<String, Object> executions = new LinkedHashMap<>();
        for (Generation generation : Generation.values()) {
            for (int row = 0; row < ExampleOperands.DIFFERENT && generation.has(form); row++) {
                executions.put(
                        generation + "/" + row,
                        ElementExecution.document(
                                form, generation, ExampleOperands.of(form).question(row)));
            }
        }
        return executions;
    }

    /// The matrices in shared memory, without gaps, by role, direction and swizzle.
    private static Map<String, Object> memory(Form form) {
        Map<String, Object> memory = new LinkedHashMap<>();
        for (FormDocument.SharedOperand operand : FormDocument.sharedOperands(form)) {
            for (SharedMatrix.Major major : operand.majors()) {
                for (SwizzleMode mode : SwizzleMode.values()) {
                    memory.put(
                            operand.role() + "/" + major + "/" + mode.ordinal(),
                            Api.shared(
                                    form,
                                    operand.role(),
                                    SharedMemoryFigure.packed(form, operand.role(), mode),
                                    major));
                }
            }
        }
        return memory;
    }
}
