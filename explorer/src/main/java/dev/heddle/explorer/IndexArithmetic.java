package dev.heddle.explorer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Metadata;
import dev.heddle.isa.OperandName;
import dev.heddle.isa.Role;
import dev.heddle.isa.ScaleFactors;
import dev.heddle.layout.Axis;
import dev.heddle.layout.BitLayout;
import dev.heddle.layout.BitLayout.Wire;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// A layout as C: one function for each coordinate, its shifts and masks read off the wires.
final class IndexArithmetic {
    private IndexArithmetic() {}

    /// The functions of an operand: what each bit of a lane's registers is.
    static String of(Form form, OperandName operand) {
        return switch (Drawable.check(operand, form)) {
            case A, B, C, D -> fragment(form.fragment(operand.role().orElseThrow()));
            case E -> metadata(form.metadata().orElseThrow());
            case SFA -> factors(form.scaleFactors(Role.A).orElseThrow());
            case SFB -> factors(form.scaleFactors(Role.B).orElseThrow());
        };
    }

    private static String fragment(Fragment fragment) {
        String name = fragment.role().letter();
        StringBuilder text = new StringBuilder();
        text.append(
                "// element i of 0..%d of operand %s; %s\n"
                        .formatted(fragment.elements() - 1, name, fragment.source()));
        text.append("// %s\n".formatted(fragment.layout()));
        for (Axis axis : List.of(Axis.ROW, Axis.COLUMN, Axis.COMPUTATION)) {
            if (axis != Axis.COMPUTATION || fragment.computations() > 1) {
                text.append(function(name, axis, fragment.layout(), "int lane, int i"));
            }
        }
        int per = fragment.elementsPerRegister();
        text.append("HEDDLE int %s_register(int i) { return i / %d; }\n".formatted(name, per));
        text.append(
                "HEDDLE int %s_bit(int i) { return i %% %d * %d + %d; } // lowest of %d\n"
                        .formatted(
                                name,
                                per,
                                fragment.packing().containerBits(),
                                fragment.packing().offset(),
                                fragment.packing().elementBits()));
        return PRELUDE + text;
    }

    private static String metadata(Metadata metadata) {
        String text =
                "// slot i of 0..7 is bits 4*i+3..4*i of the lane's word; %s\n// %s\n"
                        .formatted(metadata.source(), metadata.layout());
        text += function("e", Axis.ROW, metadata.layout(), "int lane, int i");
        text += function("e", Axis.CHUNK, metadata.layout(), "int lane, int i");
        text += function("e", Axis.SELECTOR, metadata.layout(), "int lane");
        return PRELUDE
                + text
                + "// a chunk is "
                + metadata.granularity().width()
                + " columns of A; a lane supplies only under its own selector\n";
    }

    private static String factors(ScaleFactors factors) {
        String name = "sf" + factors.role().letter();
        String text =
                "// byte i of 0..3 of the lane's register; %s\n// %s\n"
                        .formatted(factors.source(), factors.layout());
        text += function(name, Axis.ROW, factors.layout(), "int lane");
        if (factors.vectors() > 1) {
            text += function(name, Axis.CHUNK, factors.layout(), "int i");
        }
        text += function(name, Axis.THREAD, factors.layout(), "int lane");
        return PRELUDE + text + "// each scales " + factors.span() + " neighbours along K\n";
    }

    private static final String PRELUDE =
            """
            #ifdef __CUDACC__
            #define HEDDLE __host__ __device__ static inline
            #else
            #define HEDDLE static inline
            #endif
            """;

    private static String function(String name, Axis axis, BitLayout layout, String parameters) {
        return "HEDDLE int %s_%s(%s) { return %s; }\n"
                .formatted(name, axis.word(), parameters, expression(axis, layout));
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
            terms.addFirst(term(wires.get(start), end - start));
            start = end;
        }
        return terms.isEmpty() ? "0" : String.join(" | ", terms);
    }

    private static boolean continues(Wire low, Wire high) {
        return variable(low) == variable(high)
                && position(high) == position(low) + 1
                && high.toBit() == low.toBit() + 1;
    }

    private static String term(Wire low, int bits) {
        int shift = position(low);
        String field =
                "(%s%s & 0x%x)"
                        .formatted(
                                variable(low) == Axis.LANE ? "lane" : "i",
                                shift == 0 ? "" : " >> " + shift,
                                (1 << bits) - 1);
        return low.toBit() == 0 ? field : "(" + field + " << " + low.toBit() + ")";
    }

    /// The warp is the high part of the lane in a warpgroup.
    private static Axis variable(Wire wire) {
        return wire.from() == Axis.WARP ? Axis.LANE : wire.from();
    }

    private static int position(Wire wire) {
        return wire.fromBit() + (wire.from() == Axis.WARP ? 5 : 0);
    }

    /// The name of the operand in the functions: `a`, `e`, `sfb`.
    static String name(OperandName operand) {
        return operand.name().toLowerCase(Locale.ROOT);
    }
}
