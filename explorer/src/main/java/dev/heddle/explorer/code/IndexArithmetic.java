package dev.heddle.explorer.code;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.BitLayout.Wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A layout as C: one function for each coordinate, its shifts and masks read off the wires.
public final class IndexArithmetic {
    /// Characters of a function on one line.
    private static final int LINE = 96;

    private static final String PRELUDE =
            """
            #ifdef __CUDACC__
            #define HEDDLE __host__ __device__ static inline
            #else
            #define HEDDLE static inline
            #endif
            """;

    private IndexArithmetic() {}

    /// The functions of an operand that is in registers, for C and CUDA C++ alike: what each
    /// bit of a lane's registers is.
    public static String of(Form form, OperandName operand) {
        String text = PRELUDE + coordinates(form, operand, "HEDDLE");
        return text
                + switch (operand) {
                    case A, B, C, D -> places(form.fragment(operand.matrix()));
                    case E ->
                            (form.metadata().orElseThrow().selectors() > 1
                                            ? ""
                                            : "HEDDLE int e_selector(int lane) { return 0; }\n")
                                    + "// a chunk is %d columns of A; a lane supplies only under its own selector\n"
                                            .formatted(form.granularity().orElseThrow().width());
                    case SFA, SFB -> selection(form.scaleFactors(operand.matrix()).orElseThrow());
                };
    }

    /// Row, column and what else finds an element, a function each.
    ///
    /// @param specifiers what is before `int`
    static String coordinates(Form form, OperandName operand, String specifiers) {
        return switch (operand) {
            case A, B, C, D -> fragment(form.fragment(operand.matrix()), specifiers);
            case E -> metadata(form.metadata().orElseThrow(), specifiers);
            case SFA, SFB -> {
                ScaleFactors factors = form.scaleFactors(operand.matrix()).orElseThrow();
                yield factors(factors, specifiers);
            }
        };
    }

    private static String fragment(Fragment fragment, String specifiers) {
        String name = fragment.role().letter();
        StringBuilder text = new StringBuilder();
        text.append(
                "// element i of 0..%d of operand %s; %s\n"
                        .formatted(fragment.elements() - 1, name, fragment.source()));
        text.append(comment(fragment.layout()));
        for (Axis axis : List.of(Axis.ROW, Axis.COLUMN, Axis.COMPUTATION)) {
            if (axis != Axis.COMPUTATION || fragment.computations() > 1) {
                text.append(function(specifiers, name, axis, fragment.layout(), "int lane, int i"));
            }
        }
        return text.toString();
    }

    private static String places(Fragment fragment) {
        String name = fragment.role().letter();
        int per = fragment.elementsPerRegister();
        return "HEDDLE int %s_register(int i) { return i / %d; }\n".formatted(name, per)
                + "HEDDLE int %s_bit(int i) { return i %% %d * %d + %d; } // lowest of %d\n"
                        .formatted(
                                name,
                                per,
                                fragment.packing().containerBits(),
                                fragment.packing().offset(),
                                fragment.packing().elementBits());
    }

    private static String metadata(Metadata metadata, String specifiers) {
        BitLayout layout = metadata.layout();
        return "// slot i of 0..7 is bits 4*i+3..4*i of the lane's word; %s\n"
                        .formatted(metadata.source())
                + comment(layout)
                + function(specifiers, "e", Axis.ROW, layout, "int lane, int i")
                + function(specifiers, "e", Axis.CHUNK, layout, "int lane, int i")
                + (metadata.selectors() > 1
                        ? function(specifiers, "e", Axis.SELECTOR, layout, "int lane")
                        : "");
    }

    private static String factors(ScaleFactors factors, String specifiers) {
        String name = "sf" + factors.role().letter();
        BitLayout layout = factors.layout();
        return "// byte i of 0..3 of the lane's register; %s\n".formatted(factors.source())
                + comment(layout)
                + function(specifiers, name, Axis.ROW, layout, "int lane");
    }

    private static String selection(ScaleFactors factors) {
        String name = "sf" + factors.role().letter();
        BitLayout layout = factors.layout();
        return (factors.vectors() > 1 ? function("HEDDLE", name, Axis.CHUNK, layout, "int i") : "")
                + function("HEDDLE", name, Axis.THREAD, layout, "int lane")
                + "// each scales %d neighbours along K\n".formatted(factors.span());
    }

    /// A line for each coordinate.
    private static String comment(BitLayout layout) {
        return "// " + layout.toString().replace("; ", "\n// ") + "\n";
    }

    private static String function(
            String specifiers, String name, Axis axis, BitLayout layout, String parameters) {
        String head = "%s int %s_%s(%s) {".formatted(specifiers, name, axis.word(), parameters);
        String body = "return %s;".formatted(expression(axis, layout));
        return head.length() + body.length() < LINE
                ? "%s %s }\n".formatted(head, body)
                : "%s\n    %s\n}\n".formatted(head, body);
    }

    /// The coordinate as an or of bit fields, the highest first.
    private static String expression(Axis axis, BitLayout layout) {
        List<Wire> wires =
                layout.wires().stream()
                        .filter(wire -> wire.to() == axis)
                        .sorted(Comparator.comparingInt(Wire::toBit))
                        .toList();
        List<String> terms = new ArrayList<>();
        for (int start = 0; start < wires.size(); ) {
            int end = start + 1;
            while (end < wires.size() && continues(wires.get(end - 1), wires.get(end))) {
                end++;
            }
            terms.addFirst(term(wires.get(start), end - start, layout));
            start = end;
        }
        if (terms.size() == 1
                && terms.getFirst().startsWith("(")
                && terms.getFirst().endsWith(")")) {
            return terms.getFirst().substring(1, terms.getFirst().length() - 1);
        }
        return terms.isEmpty() ? "0" : String.join(" | ", terms);
    }

    private static boolean continues(Wire low, Wire high) {
        return variable(low) == variable(high)
                && position(high) == position(low) + 1
                && high.toBit() == low.toBit() + 1;
    }

    /// Bits of a variable, shifted to where they belong; the highest ones need no mask.
    private static String term(Wire low, int bits, BitLayout layout) {
        int shift = position(low);
        String field = variable(low) == Axis.LANE ? "lane" : "i";
        if (shift > 0) {
            field += " >> " + shift;
        }
        if (shift + bits < width(variable(low), layout)) {
            field += " & " + ((1 << bits) - 1);
        }
        int up = low.toBit();
        return up == 0
                ? field.contains("&") ? "(" + field + ")" : field
                : (field.contains(" ") ? "(" + field + ")" : field) + " << " + up;
    }

    private static int width(Axis variable, BitLayout layout) {
        int extent =
                variable == Axis.LANE
                        ? layout.extent(Axis.LANE) * layout.extent(Axis.WARP)
                        : layout.extent(variable);
        return Integer.SIZE - Integer.numberOfLeadingZeros(extent - 1);
    }

    /// The warp is the high part of the lane in a warpgroup.
    private static Axis variable(Wire wire) {
        return wire.from() == Axis.WARP ? Axis.LANE : wire.from();
    }

    private static int position(Wire wire) {
        return wire.fromBit() + (wire.from() == Axis.WARP ? 5 : 0);
    }
}
