package dev.heddle.vm.sanitizer;

import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Role;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/// How undefined elements go through a product of matrices: those of a row of A into that row of D,
/// those of a column of B into that column, those of C each into one; but for zeros that they are
/// multiplied by. Kernels multiply what is beyond the end of a matrix and store nothing of it.
final class ProductPropagation {
    private static final Map<Form, ProductPropagation> KNOWN = new ConcurrentHashMap<>();

    /// Of D, in a warpgroup (PTX ISA 9.7.15.5.1.1).
    private static final int ROWS_OF_WARP = 16;

    /// What goes in.
    ///
    /// @param a none in a product of a warpgroup, of which this is D before: no other is known yet
    /// @param b as A
    /// @param c none where nothing is added
    record Inputs(List<? extends Source> a, List<? extends Source> b, List<? extends Source> c) {}

    /// An element: where it is in the registers of a warp, and where in its matrix. The products
    /// that one instruction computes are one behind the other.
    private record Element(int register, int lane, long bits, int row, int column) {}

    private final List<Element> a;
    private final List<Element> b;
    private final List<Element> c;
    private final List<Element> d;
    private final int rows;
    private final int columns;

    private ProductPropagation(Form form) {
        a = elements(form.fragment(Role.A));
        b = form.family().warpgroup() ? List.of() : elements(form.fragment(Role.B));
        c = elements(form.fragment(Role.C));
        Fragment result = form.fragment(Role.D);
        d = elements(result);
        rows = result.computations() * result.rows();
        columns = result.computations() * result.columns();
    }

    /// Of one warp: the rows of others are behind its own.
    private static List<Element> elements(Fragment fragment) {
        List<Element> all = new ArrayList<>();
        for (int i = 0; i < fragment.elements(); i++) {
            int low = fragment.bitLow(i);
            long bits = -1L >>> 63 - (fragment.bitHigh(i) - low) << low;
            for (int lane = 0; lane < 32; lane++) {
                Position at = fragment.position(lane, i);
                all.add(
                        new Element(
                                fragment.register(i),
                                lane,
                                bits,
                                at.computation() * fragment.rows() + at.row(),
                                at.computation() * fragment.columns() + at.column()));
            }
        }
        return all;
    }

    /// A warp multiplies.
    static void carry(
            UndefinedUses uses,
            Frame frame,
            Site site,
            Form form,
            Inputs inputs,
            List<Register> targets) {
        UndefinedBits bits = frame.undefinedBits();
        if (areDefined(bits, inputs.a())
                && areDefined(bits, inputs.b())
                && areDefined(bits, inputs.c())) {
            targets.forEach(target -> bits.define(target, -1));
            return;
        }
        of(form).carry(uses, frame, site, new Factors(form), inputs, targets);
    }

    private static ProductPropagation of(Form form) {
        return KNOWN.computeIfAbsent(form, ProductPropagation::new);
    }

    /// By row of A, of those that a warp of a warpgroup has in registers, one of which an element
    /// there has undefined bits.
    static @Nullable Register[] undefinedRows(
            UndefinedBits bits, Form form, List<? extends Source> registers) {
        return undefined(bits, of(form).a, registers, ROWS_OF_WARP, Element::row);
    }

    /// Looks at these rows, whether there are undefined elements or not.
    ///
    /// @param warp its place in the warpgroup
    static void look(
            Factors factors, Form form, Frame frame, int warp, List<? extends Source> registers) {
        look(factors, Role.A, ROWS_OF_WARP * warp, of(form).a, frame, registers);
    }

    private static void look(
            Factors factors,
            Role role,
            int firstRow,
            List<Element> elements,
            Frame frame,
            List<? extends Source> registers) {
        for (Element element : elements) {
            boolean isA = role == Role.A;
            Source source = registers.get(element.register());
            factors.add(
                    role,
                    isA ? firstRow + element.row() : element.column(),
                    isA ? element.column() : element.row(),
                    frame.value(source, element.lane()) & element.bits(),
                    frame.undefinedBits().of(source, element.lane()) & element.bits());
        }
    }

    /// A warpgroup multiplies: what becomes of D in one of its warps.
    ///
    /// @param warp its place in the warpgroup, whose rows of A it needs
    /// @param byRow where an undefined element of each row of A comes from, or null
    /// @param byColumn the same of B
    /// @param factors the elements of both
    static void spoil(
            UndefinedBits bits,
            Form form,
            int warp,
            UndefinedBits.@Nullable Origin[] byRow,
            UndefinedBits.@Nullable Origin[] byColumn,
            Factors factors,
            List<Register> targets) {
        for (Element element : of(form).d) {
            int row = ROWS_OF_WARP * warp + element.row();
            int column = element.column();
            UndefinedBits.Origin origin =
                    factors.spoilsByRow(row, column)
                            ? byRow[row]
                            : factors.spoilsByColumn(row, column) ? byColumn[column] : null;
            if (origin != null) {
                Register target = targets.get(element.register());
                if (bits.lanes(target, -1) == 0) {
                    bits.comesFrom(target, origin);
                }
                long before = bits.of(target, element.lane());
                bits.set(target, element.lane(), before | element.bits());
            }
        }
    }

    private static boolean areDefined(UndefinedBits bits, List<? extends Source> registers) {
        for (Source register : registers) {
            if (bits.lanes(register, -1) != 0) {
                return false;
            }
        }
        return true;
    }

    private void carry(
            UndefinedUses uses,
            Frame frame,
            Site site,
            Factors factors,
            Inputs inputs,
            List<Register> targets) {
        if (!inputs.b().isEmpty()) {
            look(factors, Role.A, 0, a, frame, inputs.a());
            look(factors, Role.B, 0, b, frame, inputs.b());
        }
        UndefinedBits bits = frame.undefinedBits();
        @Nullable Register[] byRow = undefined(bits, a, inputs.a(), rows, Element::row);
        @Nullable Register[] byColumn = undefined(bits, b, inputs.b(), columns, Element::column);
        @Nullable Register[] byPlace = undefined(bits, c, inputs.c(), rows * columns, this::place);
        UndefinedBits.@Nullable Origin[] origins = new UndefinedBits.Origin[targets.size()];
        long[][] results = new long[targets.size()][32];
        for (Element element : d) {
            int row = element.row();
            int column = element.column();
            Register cause = factors.spoilsByRow(row, column) ? byRow[row] : null;
            cause = factors.spoilsByColumn(row, column) ? byColumn[column] : cause;
            cause = cause == null ? byPlace[place(element)] : cause;
            if (cause != null) {
                int target = element.register();
                results[target][element.lane()] |= element.bits();
                if (origins[target] == null) {
                    UndefinedBits.Origin origin =
                            uses.origin(frame, site, cause, bits.lanes(cause, -1));
                    origins[target] = origin.computed();
                }
            }
        }
        for (int i = 0; i < results.length; i++) {
            bits.comesFrom(targets.get(i), origins[i]);
            for (int lane = 0; lane < 32; lane++) {
                bits.set(targets.get(i), lane, results[i][lane]);
            }
        }
    }

    private int place(Element element) {
        return element.row() * columns + element.column();
    }

    /// By row, column or place, a register of which an element there has undefined bits.
    private static @Nullable Register[] undefined(
            UndefinedBits bits,
            List<Element> elements,
            List<? extends Source> registers,
            int most,
            ToIntFunction<Element> place) {
        @Nullable Register[] found = new Register[most];
        if (!registers.isEmpty() && !areDefined(bits, registers)) {
            for (Element element : elements) {
                if (registers.get(element.register()) instanceof Register register
                        && (bits.of(register, element.lane()) & element.bits()) != 0) {
                    found[place.applyAsInt(element)] = register;
                }
            }
        }
        return found;
    }
}
