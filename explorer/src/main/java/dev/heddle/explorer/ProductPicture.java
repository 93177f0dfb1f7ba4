package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Owner;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;

import java.util.List;
import java.util.Locale;

/// A product at one glance, as SVG: A at the left, B above, D in the corner, every element in the
/// colour of the lane that holds it, and one lane's elements named.
///
/// @param form a dense product of one warp
/// @param lane whose elements are named, 0 to 31
record ProductPicture(Form form, int lane) {
    private static final int CELL = 20;
    private static final int MARGIN = 26;
    private static final int GAP = 26;

    private static final String STYLE =
            """
            .p{font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace}
            .p text{fill:#16181d;font-size:12px}
            .p .name{font-size:17px;font-weight:700}
            .p .opcode{font-size:11px}
            .p .own text{font-size:10px;font-weight:700;text-anchor:middle}
            .p .ground{fill:#fff}
            .p .own rect{fill:none;stroke:#16181d;stroke-width:2}
            .p .lanes rect{stroke:#fff}
            """;

    private static final String DARK =
            """
            .p text{fill:#f2f4f8}
            .p .ground{fill:#14161a}
            .p .own rect{stroke:#f2f4f8}
            .p .lanes rect{stroke:#14161a}
            """;

    /// The picture.
    String svg() {
        Fragment a = form.fragment(Role.A);
        Fragment b = form.fragment(Role.B);
        Fragment d = form.fragment(Role.D);
        int split = MARGIN + a.columns() * CELL + GAP;
        int below = MARGIN + b.rows() * CELL + GAP;
        int width = split + d.columns() * CELL + MARGIN;
        int height = below + d.rows() * CELL + MARGIN;
        StringBuilder svg = new StringBuilder();
        svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"p\" role=\"img\"")
                .append(
                        " viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
                                .formatted(width, height, width, height))
                .append(
                        "<title>%s: who holds what, lane %d named</title>\n"
                                .formatted(form.opcode(), lane))
                .append("<style>\n")
                .append(STYLE)
                .append(colors(Palette.LIGHT))
                .append("@media (prefers-color-scheme:dark){\n")
                .append(DARK)
                .append(colors(Palette.DARK))
                .append("}\n</style>\n");
        svg.append("<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
        words(svg, a, b, d);
        matrix(svg, a, MARGIN, below);
        matrix(svg, b, split, MARGIN);
        matrix(svg, d, split, below);
        return svg.append("</svg>\n").toString();
    }

    private static String colors(Palette palette) {
        StringBuilder style = new StringBuilder();
        for (int lane = 0; lane < 32; lane++) {
            style.append(".p .l%d{fill:%s}\n".formatted(lane, palette.color(lane)));
        }
        return style.toString();
    }

    /// What the empty corner says.
    private void words(StringBuilder svg, Fragment a, Fragment b, Fragment d) {
        List<String> lines =
                List.of(
                        "One instruction of one warp, 32 lanes.",
                        "A colour is a lane.",
                        "",
                        "Lane %d holds, named here,".formatted(lane),
                        holding(a),
                        holding(b),
                        holding(d));
        int y = MARGIN + 14;
        text(svg, "name", MARGIN, y, "D = A × B + C");
        y += 26;
        String opcode = form.opcode();
        int half = opcode.indexOf(".row");
        text(svg, "opcode", MARGIN, y, opcode.substring(0, half));
        text(svg, "opcode", MARGIN, y + 15, opcode.substring(half));
        y += 48;
        for (String line : lines) {
            text(svg, "line", MARGIN, y, line);
            y += 19;
        }
    }

    private static String holding(Fragment fragment) {
        return "%2d elements of %s in %d registers"
                .formatted(fragment.elements(), fragment.role(), fragment.registers());
    }

    private void matrix(StringBuilder svg, Fragment fragment, int left, int top) {
        StringBuilder own = new StringBuilder();
        String name =
                "%s %d × %d %s"
                        .formatted(
                                fragment.role(),
                                fragment.rows(),
                                fragment.columns(),
                                fragment.format().ptxName());
        text(svg, "opcode", left, top - 5, name);
        svg.append("<g class=\"lanes\">\n");
        for (int row = 0; row < fragment.rows(); row++) {
            for (int column = 0; column < fragment.columns(); column++) {
                Owner owner = fragment.holder(new Position(row, column));
                int x = left + column * CELL;
                int y = top + row * CELL;
                svg.append(square(x, y, " class=\"l%d\"".formatted(owner.lane())));
                if (owner.lane() == lane) {
                    own.append(square(x, y, ""));
                    String element =
                            fragment.role().name().toLowerCase(Locale.ROOT) + owner.element();
                    text(own, "", x + CELL / 2, y + CELL / 2 + 4, element);
                }
            }
        }
        svg.append("</g>\n<g class=\"own\">\n").append(own).append("</g>\n");
    }

    private static String square(int x, int y, String more) {
        return "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"%s/>\n"
                .formatted(x, y, CELL, CELL, more);
    }

    private static void text(StringBuilder svg, String kind, int x, int y, String text) {
        String attribute = kind.isEmpty() ? "" : " class=\"" + kind + "\"";
        svg.append("<text x=\"%d\" y=\"%d\"%s>%s</text>\n".formatted(x, y, attribute, text));
    }
}
