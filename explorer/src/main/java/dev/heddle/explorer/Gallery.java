package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.LayoutEntry;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The figures of every sparse fragment and of every metadata map of the manual, as a folder of SVG
/// files with an index.
public final class Gallery {
    private static final String SPARSE = "mma.sp::ordered_metadata.sync.aligned.";
    private static final String WGMMA = "wgmma.mma_async.sp.sync.aligned.";

    /// One form for each line of the manual's sections 9.7.14.6.2 and 9.7.15.6.2, and the dense
    /// `m16n8k8` fragments of 9.7.14.5.7.
    private static final List<String> FORMS =
            List.of(
                    SPARSE + "m16n8k16.row.col.f32.f16.f16.f32",
                    SPARSE + "m16n8k32.row.col.f32.f16.f16.f32",
                    SPARSE + "m16n8k16.row.col.f32.tf32.tf32.f32",
                    SPARSE + "m16n8k8.row.col.f32.tf32.tf32.f32",
                    SPARSE + "m16n8k32.row.col.s32.s8.s8.s32",
                    SPARSE + "m16n8k64.row.col.s32.s8.s8.s32",
                    SPARSE + "m16n8k64.row.col.s32.s4.s4.s32",
                    SPARSE + "m16n8k128.row.col.s32.s4.s4.s32",
                    WGMMA + "m64n8k32.f32.f16.f16",
                    WGMMA + "m64n8k16.f32.tf32.tf32",
                    WGMMA + "m64n8k64.f32.e4m3.e4m3",
                    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
                    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                    "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64");

    private Gallery() {}

    /// Writes the gallery.
    ///
    /// @return how many figures it has
    /// @throws IOException if the folder cannot be written
    public static int write(Path folder) throws IOException {
        Files.createDirectories(folder);
        List<String> index = new ArrayList<>();
        index.add("# Gallery");
        index.add("");
        index.add("Fragments and metadata of the sparse instructions, and the dense `m16n8k8`");
        index.add("fragments, drawn from the model by `heddle explore --gallery docs/gallery`.");
        int figures = 0;
        for (String opcode : FORMS) {
            Form form = Form.of(opcode);
            index.add("");
            index.add("## `" + opcode + "`");
            for (OperandName operand : Drawable.of(form)) {
                if (operand == OperandName.D) {
                    continue; // the fragment of C
                }
                for (LayoutEntry.Selection selection : selections(form, operand)) {
                    Figure figure = Figure.of(form, operand, selection);
                    String file = name(form, operand, selection);
                    Files.writeString(folder.resolve(file), figure.svg());
                    index.add("");
                    index.add(figure.caption().getFirst() + "  ");
                    index.add("`" + figure.caption().get(1) + "`");
                    index.add("");
                    index.add("![" + figure.caption().getFirst() + "](" + file + ")");
                    figures++;
                }
            }
        }
        Form shown = Form.of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
        Files.writeString(folder.resolve("product.svg"), new ProductPicture(shown, 5).svg());
        figures++;
        Files.writeString(folder.resolve("README.md"), String.join("\n", index) + "\n");
        return figures;
    }

    private static List<LayoutEntry.Selection> selections(Form form, OperandName operand) {
        return operand == OperandName.E
                ? LayoutEntry.metadata(form).selectorValues().stream()
                        .map(f -> new LayoutEntry.Selection(f, 0))
                        .toList()
                : List.of(LayoutEntry.Selection.FIRST);
    }

    private static String name(Form form, OperandName operand, LayoutEntry.Selection selection) {
        String family = form.family().warpgroup() ? "wgmma" : "mma";
        return family
                + (form.sparse() ? "-sp-" : "-")
                + form.shape()
                + "-"
                + form.type(Role.A).ptxName()
                + "-"
                + operand.name().toLowerCase(java.util.Locale.ROOT)
                + (operand == OperandName.E ? selection.selector() : "")
                + ".svg";
    }
}
