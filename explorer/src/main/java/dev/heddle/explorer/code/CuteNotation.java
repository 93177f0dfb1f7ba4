package dev.heddle.explorer.code;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.isa.Shape;
import dev.heddle.layout.Axis;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A form in the notation of CuTe: what CUTLASS calls the traits of an atom.
///
/// A layout leads from a thread and one of its values to a place in the tile, counted down the
/// columns: `m + M k` of A, `n + N k` of B, `m + M n` of C and D.
public final class CuteNotation {
    /// The lanes of the first of four products of `mma.m8n8k4`: 0..3 and 16..19 (PTX ISA
    /// 9.7.14.5.1). The bits 2 and 3 of a lane's number choose the product.
    private static final List<Integer> QUAD_PAIR = List.of(0, 1, 4);

    private final Form form;

    private CuteNotation(Form form) {
        this.form = form;
    }

    /// The traits of a form, a declaration each line.
    public static String of(Form form) {
        return new CuteNotation(form).text();
    }

    private String text() {
        Shape shape = form.shape();
        StringBuilder text = new StringBuilder("// %s\n//\n".formatted(form));
        text.append(
                """
                // In the notation of CuTe, the traits of an atom: a layout leads from \
                (thread, value) to
                // m + %d k of A, n + %d k of B, m + %d n of C and D.
                """
                        .formatted(shape.m(), shape.n(), shape.m()));
        if (form.sparse()) {
            text.append("// Of A that is the stored half.\n");
        }
        Optional<CutlassAtom> atom = CutlassAtom.of(form);
        text.append(
                atom.map(a -> "#include <%s>\n\n".formatted(a.header()))
                        .orElse("// CUTLASS 4.7 has no atom for this form.\n\n"));
        atom.ifPresent(a -> text.append(line("Atom", a.name())));
        text.append(line("Shape_MNK", shape(shape.m(), shape.n(), shape.k())));
        text.append(
                line(
                        "ThrID",
                        form.quadPairs()
                                ? "Layout<Shape<_4, _2>, Stride<_1, _16>>"
                                : "Layout<%s>".formatted(CuteLayout.number(form.lanes()))));
        for (Role role : List.of(Role.D, Role.A, Role.B, Role.C)) {
            text.append(line("ValType" + role, CutlassAtom.value(form.type(role))));
        }
        text.append('\n');
        List<Role> shared = SharedTile.of(form).stream().map(SharedTile::role).toList();
        for (Role role : List.of(Role.A, Role.B, Role.C)) {
            text.append(shared.contains(role) ? memory(role) : registers(role));
        }
        if (!form.fragment(Role.C).layout().equals(form.fragment(Role.D).layout())) {
            text.append(registers(Role.D));
        }
        form.metadata().ifPresent(metadata -> text.append(words(metadata)));
        form.scaleFactors(Role.A).ifPresent(factors -> text.append(scales(factors)));
        form.scaleFactors(Role.B).ifPresent(factors -> text.append(scales(factors)));
        return text.toString();
    }

    private static String line(String name, String value) {
        return "using %-9s = %s;\n".formatted(name, value);
    }

    private static String shape(int... extents) {
        return "Shape<%s>"
                .formatted(
                        String.join(
                                ", ", IntStream.of(extents).mapToObj(CuteLayout::number).toList()));
    }

    private String registers(Role role) {
        return line(role + "Layout", layout(form, role).text("using XLayout   = ".length()));
    }

    /// From thread and element to the place in the tile; of a sparse A in its stored half.
    static CuteLayout layout(Form form, Role role) {
        Fragment fragment = form.fragment(role);
        return CuteLayout.of(
                fragment.layout(),
                lanes(form),
                Axis.ELEMENT,
                role == Role.B
                        ? Map.of(Axis.COLUMN, 1, Axis.ROW, fragment.columns())
                        : Map.of(Axis.ROW, 1, Axis.COLUMN, fragment.rows()));
    }

    private static List<Integer> lanes(Form form) {
        int bits = Integer.numberOfTrailingZeros(form.lanes());
        return form.quadPairs() ? QUAD_PAIR : IntStream.range(0, bits).boxed().toList();
    }

    /// A tile in shared memory: every thread has all of it.
    private String memory(Role role) {
        SharedTile tile = new SharedTile(form, role);
        String lanes = CuteLayout.number(form.lanes());
        String rows = CuteLayout.number(tile.rows());
        String extent = "Shape<%s, %s>".formatted(rows, CuteLayout.number(tile.columns()));
        return "// %s stands in shared memory; with K along it, in rows of %d bytes:\n// GMMA::Layout_K_SW%d_Atom<%s>\n"
                        .formatted(
                                role,
                                tile.rowBytes(),
                                tile.rowBytes(),
                                CutlassAtom.value(form.type(role)))
                + line(
                        role + "Layout",
                        "Layout<Shape<%s, %s>, Stride<_0, Stride<_1, %s>>>"
                                .formatted(lanes, extent, rows));
    }

    /// Each nibble of the word of each lane, under any selector.
    private String words(Metadata metadata) {
        return "// (thread, nibble) to m + %d chunk; a lane's word counts under its own selector\n"
                        .formatted(metadata.rows())
                + line(
                        "ELayout",
                        CuteLayout.of(
                                        metadata.layout(),
                                        lanes(form),
                                        Axis.SLOT,
                                        Map.of(Axis.ROW, 1, Axis.CHUNK, metadata.rows()))
                                .text("using XLayout   = ".length()));
    }

    /// Each byte of the word of each lane.
    private String scales(ScaleFactors factors) {
        return "// (thread, byte) to %s + %d factor, any byte-id and thread-id\n"
                        .formatted(factors.role() == Role.A ? "m" : "n", factors.lines())
                + line(
                        "SF%sLayout".formatted(factors.role()),
                        CuteLayout.of(
                                        factors.layout(),
                                        lanes(form),
                                        Axis.BYTE,
                                        Map.of(Axis.ROW, 1, Axis.CHUNK, factors.lines()))
                                .text("using SFXLayout = ".length()));
    }
}
