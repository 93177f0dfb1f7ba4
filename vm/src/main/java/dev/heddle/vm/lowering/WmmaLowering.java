package dev.heddle.vm.lowering;

import dev.heddle.formats.Rounding;
import dev.heddle.isa.Family;
import dev.heddle.isa.Form;
import dev.heddle.isa.Fragment;
import dev.heddle.isa.Position;
import dev.heddle.isa.Qualifier;
import dev.heddle.isa.Role;
import dev.heddle.isa.Shape;
import dev.heddle.ptx.ScalarType;
import dev.heddle.ptx.instruction.BoundInstruction;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Operation;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `wmma.load`, `wmma.mma` and `wmma.store` (PTX ISA 9.7.14.4), composed of `mma`.
///
/// The manual leaves open which element a register holds. Here a fragment is that of the `mma`
/// products that make up the shape, one after the other: `m16n16k16` is two `m16n8k16` side by
/// side, `m32n8k16` two on top of each other, and `m8n32k16` is `m32n8k16` of the transposed
/// matrices. Where the manual declares more registers than that takes, the last repeat the first.
/// The numerics are those of the `mma` products.
record WmmaLowering(CodeBuilder builder, WarpLowering warp) {
    private static final Set<String> TYPES =
            Set.of("f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "s4", "u4", "b1");

    private static final Operation WIDEN = Operation.convert(ScalarType.F32, ScalarType.F16);
    private static final Operation NARROW =
            Operation.convert(ScalarType.F16, ScalarType.F32, Rounding.NEAREST_EVEN);

    /// How a shape is made of `mma` products.
    ///
    /// @param across products side by side, along N
    /// @param down products on top of each other, along M
    /// @param transposed whether the products multiply B transposed by A transposed
    private record Plan(int across, int down, boolean transposed) {
        static Plan of(BoundInstruction form) {
            return switch (shape(form)) {
                case "m16n16k16", "m16n16k8" -> new Plan(2, 1, false);
                case "m32n8k16" -> new Plan(1, 2, false);
                case "m8n32k16" -> new Plan(1, 2, true);
                default -> new Plan(1, 1, false);
            };
        }
    }

    private static String shape(BoundInstruction form) {
        return form.oneOf(
                "m16n16k16", "m32n8k16", "m8n32k16", "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128");
    }

    /// The `mma` of one product with these types of D, A and C.
    private static Form product(BoundInstruction form, String d, String a, String c) {
        Map<Qualifier, String> words = new EnumMap<>(Qualifier.class);
        words.put(
                Qualifier.SHAPE,
                switch (shape(form)) {
                    case "m16n16k8" -> "m16n8k8";
                    case "m8n8k4", "m8n8k32", "m8n8k128" -> shape(form);
                    default -> "m16n8k16";
                });
        words.put(Qualifier.ALAYOUT, "row");
        words.put(Qualifier.BLAYOUT, "col");
        words.put(Qualifier.DTYPE, d);
        words.put(Qualifier.ATYPE, a);
        words.put(Qualifier.BTYPE, a);
        words.put(Qualifier.CTYPE, c);
        if (form.has("satfinite")) {
            words.put(Qualifier.SATFINITE, "satfinite");
        }
        String rounding = form.word("rnd");
        if (rounding != null) {
            words.put(Qualifier.ROUNDING, rounding);
        }
        if (a.equals("b1")) {
            words.put(Qualifier.BIT_OPERATION, form.has("and") ? "and" : "xor");
        }
        return product(words);
    }

    private static Form product(Map<Qualifier, String> words) {
        return Form.of(Family.MMA, words)
                .orElseThrow(() -> new UnsupportedInstruction("wmma as mma of " + words));
    }

    /// The element types it names, narrow ones included, in order.
    private static List<String> types(BoundInstruction form) {
        List<String> types = new ArrayList<>(form.instruction().qualifiers());
        types.retainAll(TYPES);
        if (types.isEmpty()) {
            throw new UnsupportedInstruction(form);
        }
        return types;
    }

    /// A product with a fragment of this role and type, for its layout alone.
    private static Form productWith(BoundInstruction form, Role role, String type) {
        if (role == Role.A || role == Role.B) {
            String sum =
                    switch (type) {
                        case "f16", "bf16", "tf32" -> "f32";
                        case "f64" -> "f64";
                        default -> "s32";
                    };
            return product(form, sum, type, sum);
        }
        String factor =
                switch (shape(form)) {
                    case "m16n16k8" -> "tf32";
                    case "m8n8k4" -> "f64";
                    case "m8n8k32" -> "s4";
                    case "m8n8k128" -> "b1";
                    default -> type.equals("s32") ? "s8" : "f16";
                };
        return product(form, type, factor, type);
    }

    // Memory.

    private static Role role(BoundInstruction form) {
        return switch (form.oneOf("a", "b", "c", "d")) {
            case "a" -> Role.A;
            case "b" -> Role.B;
            default -> Role.C;
        };
    }

    /// Where the registers of a fragment are.
    static Tile tile(BoundInstruction form, int registers) {
        Role role = role(form);
        Plan plan = Plan.of(form);
        String type = types(form).getLast();
        Form product = productWith(form, role, type);
        // Transposed, the multiplicands change places.
        Role held = plan.transposed() && role != Role.C ? role == Role.A ? Role.B : Role.A : role;
        Fragment fragment = product.fragment(held);
        int copies =
                switch (held) {
                    case A -> plan.down();
                    case B -> plan.across();
                    default -> plan.across() * plan.down();
                };
        boolean byRows = form.has("row");
        int unit = together(fragment);
        int perRegister = fragment.elementsPerRegister() / unit;
        int distinct = Math.min(registers, copies * fragment.registers());
        int[] outer = new int[32 * distinct * perRegister];
        int[] inner = new int[outer.length];
        for (int index = 0; index < outer.length; index++) {
            int element = index / 32 * unit;
            int copy = element / fragment.elements();
            Position own = fragment.position(index % 32, element % fragment.elements());
            Position at = place(own, held, copy, plan);
            outer[index] = byRows ? at.row() : at.column();
            inner[index] = byRows ? at.column() : at.row();
        }
        return new Tile(
                fragment.format().bits(),
                perRegister,
                distinct,
                defaultStride(form, role),
                outer,
                inner);
    }

    /// Elements narrower than a byte move in whole registers.
    private static int together(Fragment fragment) {
        return fragment.format().bits() < 8 ? fragment.elementsPerRegister() : 1;
    }

    private static Position place(Position at, Role held, int copy, Plan plan) {
        int row = at.row();
        int column = at.column();
        if (held != Role.B && plan.down() > 1) {
            row += 16 * copy;
        } else if (held != Role.A && plan.across() > 1) {
            column += 8 * copy;
        }
        return plan.transposed() ? new Position(column, row, 0) : new Position(row, column, 0);
    }

    private static int defaultStride(BoundInstruction form, Role role) {
        Shape shape = Shape.parse(shape(form));
        int rows = role == Role.B ? shape.k() : shape.m();
        int columns = role == Role.A ? shape.k() : shape.n();
        return form.has("row") ? columns : rows;
    }

    // Products.

    void multiply(BoundInstruction form) {
        List<String> types = types(form);
        String d = types.getFirst();
        String c = types.getLast();
        String a = types.size() == 4 ? types.get(1) : "f16";
        // No `mma` has accumulators of two types: the product is formed in f32, as the assembler
        // does it, with C widened before or D narrowed behind.
        boolean mixed = !d.equals(c);
        Form product = mixed ? product(form, "f32", a, "f32") : product(form, d, a, c);
        Plan plan = Plan.of(form);
        ScalarType untyped = MultiplyLowering.untyped(product, Role.D);
        List<Source> left = warp.fragment(form.operand(plan.transposed() ? 2 : 1), untyped);
        List<Source> right = warp.fragment(form.operand(plan.transposed() ? 1 : 2), untyped);
        List<Source> sums = warp.fragment(form.operand(3), untyped);
        List<Register> results = warp.results(form.operand(0), untyped);
        if (mixed && c.equals("f16")) {
            sums = widened(sums);
        }
        // A product must not overwrite what the next one reads.
        boolean narrows = mixed && d.equals("f16");
        boolean aside =
                narrows
                        || !Collections.disjoint(results, left)
                        || !Collections.disjoint(results, right)
                        || !results.equals(sums) && !Collections.disjoint(results, sums);
        List<Register> targets = aside ? aside(results, narrows ? 2 : 1) : results;
        for (int i = 0; i < plan.across() * plan.down(); i++) {
            int row = plan.down() > 1 ? i : 0;
            int column = plan.across() > 1 ? i : 0;
            chain(
                    product,
                    part(targets, product.fragment(Role.D), i),
                    part(left, product.fragment(Role.A), row),
                    part(right, product.fragment(Role.B), column),
                    part(sums, product.fragment(Role.C), i));
        }
        for (int i = 0; i < results.size() && aside; i++) {
            builder.move(results.get(i), narrows ? narrowed(targets, i) : targets.get(i));
        }
    }

    /// Temporary registers, so many for each result.
    private List<Register> aside(List<Register> results, int each) {
        List<Register> aside = new ArrayList<>();
        for (Register result : results) {
            for (int i = 0; i < each; i++) {
                aside.add(builder.registers().temporary(result.width()));
            }
        }
        return aside;
    }

    /// A product, or the two that an H200 was measured to make of one along K: `.tf32` of
    /// `m16n16k8` is two chained sums of four.
    private void chain(
            Form product, List<Register> d, List<Source> a, List<Source> b, List<Source> c) {
        if (!product.word(Qualifier.ATYPE).equals("tf32")) {
            multiply(product, d, a, b, c);
            return;
        }
        Map<Qualifier, String> words = new EnumMap<>(product.words());
        words.put(Qualifier.SHAPE, "m16n8k4");
        Form half = product(words);
        multiply(half, d, a.subList(0, 2), b.subList(0, 1), c);
        multiply(half, d, a.subList(2, 4), b.subList(1, 2), List.copyOf(d));
    }

    private void multiply(
            Form product, List<Register> d, List<Source> a, List<Source> b, List<Source> c) {
        warp.join(new Collective.Multiply(product, d, a, b, c, null, List.of()));
    }

    /// Pairs of f16 as f32 each: the elements are in the same order.
    private List<Source> widened(List<Source> pairs) {
        List<Source> wide = new ArrayList<>();
        for (Source pair : pairs) {
            wide.add(builder.compute(WIDEN, builder.lowHalf(pair)));
            wide.add(builder.compute(WIDEN, builder.highHalf(pair)));
        }
        return wide;
    }

    private Source narrowed(List<Register> wide, int pair) {
        return builder.pairHalves(
                builder.compute(NARROW, wide.get(2 * pair)),
                builder.compute(NARROW, wide.get(2 * pair + 1)));
    }

    private static <T> List<T> part(List<T> registers, Fragment fragment, int index) {
        int from = index * fragment.registers();
        if (from + fragment.registers() > registers.size()) {
            throw new UnsupportedInstruction("a fragment of " + registers.size() + " registers");
        }
        return registers.subList(from, from + fragment.registers());
    }
}
