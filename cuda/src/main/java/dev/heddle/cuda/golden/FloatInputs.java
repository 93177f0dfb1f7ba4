package dev.heddle.cuda.golden;

import dev.heddle.formats.FloatFormat;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/// Draws operands of floating-point forms.
///
/// Random values almost never meet the rules that tell one way of summing from another, so most
/// classes aim: at pairs of products that cancel, at terms just inside and just outside of what
/// the sum keeps, at results on the edge of the range.
final class FloatInputs implements InputSource {
    /// How far below the largest term a tensor core may still keep bits: the range worth probing.
    private static final int DEEPEST_KEPT_BIT = 34;

    private final OperandGrid gridA;
    private final OperandGrid gridB;
    private final int countC;
    private final SplittableRandom random;
    private final FloatCodes a;
    private final FloatCodes b;
    private final FloatCodes c;

    FloatInputs(
            FloatFormat formatA,
            OperandGrid gridA,
            FloatFormat formatB,
            OperandGrid gridB,
            FloatFormat formatC,
            int countC,
            SplittableRandom random) {
        this.gridA = gridA;
        this.gridB = gridB;
        this.countC = countC;
        this.random = random;
        this.a = new FloatCodes(formatA, random);
        this.b = new FloatCodes(formatB, random);
        this.c = new FloatCodes(formatC, random);
    }

    @Override
    public int subclasses(CaseClass caseClass) {
        return switch (caseClass) {
            case MODERATE, SMALL_INTEGERS -> 2;
            case RANDOM_BITS, CANCELLATION, EDGES -> 6;
            case TINY, OVERFLOW, ZEROS -> 4;
        };
    }

    @Override
    public OperandCodes draw(CaseClass caseClass, int subclass) {
        int kind = Math.floorMod(subclass, subclasses(caseClass));
        return switch (caseClass) {
            case MODERATE -> moderate(kind);
            case RANDOM_BITS -> randomBits(kind);
            case TINY -> tiny(kind);
            case CANCELLATION -> cancellation(kind);
            case OVERFLOW -> overflow(kind);
            case ZEROS -> zeros(kind);
            case SMALL_INTEGERS -> smallIntegers(kind);
            case EDGES -> edges(kind);
        };
    }

    private OperandCodes moderate(int kind) {
        return kind == 0
                ? of(() -> a.between(-4, 3), () -> b.between(-4, 3), () -> c.between(-4, 6))
                : of(() -> a.between(-2, 0), () -> b.between(-2, 0), () -> 0);
    }

    private OperandCodes randomBits(int kind) {
        return switch (kind) {
            case 0 -> of(a::anyBits, b::anyBits, c::anyBits);
            case 1 -> of(a::anyFinite, b::anyFinite, c::anyFinite);
            case 2 ->
                    of(
                            () -> rarely(() -> special(a), () -> a.between(-4, 3)),
                            () -> rarely(() -> special(b), () -> b.between(-4, 3)),
                            () -> rarely(() -> special(c), () -> c.between(-4, 6)));
            case 3 -> of(() -> a.between(-4, 3), () -> b.between(-4, 3), c::anyBits);
            case 4 ->
                    of(
                            () -> rarely(a::infinity, () -> a.between(-4, 3)),
                            () -> rarely(b::zero, () -> b.between(-4, 3)),
                            () -> rarely(c::infinity, c::anyFinite));
            default -> of(a::anyFinite, b::anyFinite, () -> random.nextBoolean() ? c.zero() : 0);
        };
    }

    private OperandCodes tiny(int kind) {
        int half = c.minExponent() / 2;
        return switch (kind) {
            case 0 -> of(a::subnormal, b::subnormal, c::subnormal);
            case 1 ->
                    of(
                            a::subnormal,
                            () -> b.between(b.maxExponent() - 4, b.maxExponent()),
                            () -> c.between(c.minExponent() - 1, c.minExponent() + 8));
            case 2 ->
                    of(
                            () -> a.between(half - 12, half + 4),
                            () -> b.between(half - 12, half + 4),
                            () -> random.nextBoolean() ? c.zero() : c.subnormal());
            default ->
                    of(
                            () -> a.between(a.minExponent() - 1, a.minExponent() + 3),
                            () -> b.between(-3, 3),
                            c::subnormal);
        };
    }

    private OperandCodes cancellation(int kind) {
        return switch (kind) {
            case 0 -> pairs(0, () -> c.between(-30, -10));
            case 1 -> pairs(8, () -> c.between(-12, 0));
            case 2 ->
                    of(
                            () -> a.between(a.minExponent(), a.maxExponent()),
                            () -> b.between(b.minExponent(), b.maxExponent()),
                            () -> c.between(c.minExponent(), c.maxExponent()));
            case 3 -> {
                int large = random.nextInt(16, 32);
                yield of(
                        () -> a.between(-4, 3),
                        () -> b.between(-4, 3),
                        () -> c.between(large - 4, large));
            }
            case 4 -> of(() -> a.between(-9, 8), () -> b.between(-9, 8), () -> c.between(-18, 16));
            default -> pairs(0, c::zero);
        };
    }

    private OperandCodes overflow(int kind) {
        return switch (kind) {
            case 0 -> of(a::largest, b::largest, c::largest);
            case 1 ->
                    of(
                            () -> a.between(a.maxExponent() - 3, a.maxExponent()),
                            () -> b.between(b.maxExponent() - 3, b.maxExponent()),
                            () -> c.between(c.maxExponent() - 3, c.maxExponent()));
            case 2 -> {
                int exponentA = c.maxExponent() / 2;
                int exponentB = c.maxExponent() - exponentA;
                yield of(
                        () -> a.between(exponentA - 4, exponentA),
                        () -> b.between(exponentB - 4, exponentB),
                        () -> c.between(c.maxExponent() - 1, c.maxExponent()));
            }
            default -> {
                int below = c.maxExponent() - c.format().fractionBits() - 1;
                yield of(
                        () -> a.edge(below / 2 + random.nextInt(-2, 3)),
                        () -> b.edge(below - below / 2),
                        c::largest);
            }
        };
    }

    private OperandCodes zeros(int kind) {
        return switch (kind) {
            case 0 -> of(a::zero, b::zero, c::zero);
            case 1 ->
                    of(
                            () -> mostly(a::zero, () -> a.between(-4, 3)),
                            () -> mostly(b::zero, () -> b.between(-4, 3)),
                            () -> random.nextBoolean() ? c.zero() : c.between(-4, 3));
            case 2 ->
                    of(
                            () -> mostly(a::zero, a::subnormal),
                            () -> b.between(b.maxExponent() - 2, b.maxExponent()),
                            () -> c.between(c.minExponent() - 1, 3));
            default -> of(() -> a.between(-4, 3), b::zero, c::zero);
        };
    }

    private OperandCodes smallIntegers(int kind) {
        int bound = kind == 0 ? 3 : 8;
        return of(
                () -> a.integer(bound),
                () -> b.integer(bound),
                () -> c.integer(kind == 0 ? 8 : 512));
    }

    private OperandCodes edges(int kind) {
        int depth = random.nextInt(8, DEEPEST_KEPT_BIT);
        return switch (kind) {
            // One large product, many just inside or outside of what is kept below it.
            case 0 ->
                    of(
                            () -> rarely(() -> a.edge(depth / 2), () -> a.edge(-depth / 4)),
                            () -> b.edge(-(depth % 3)),
                            () -> random.nextBoolean() ? c.zero() : c.edge(-depth));
            // A large C above the products.
            case 1 -> of(() -> a.edge(0), () -> b.edge(0), () -> c.edge(depth));
            // Ties of the result's last place.
            case 2 -> {
                int last = c.format().fractionBits() + 1;
                yield of(
                        () -> rarely(() -> a.edge(0), () -> a.edge(-last / 2)),
                        () -> b.edge(-(last - last / 2) + random.nextInt(0, 2)),
                        () -> c.edge(0));
            }
            // Products about 2^-133, the lowest exponent to which terms are aligned.
            case 3 -> {
                int sum = random.nextInt(-160, -118);
                yield of(
                        () -> a.between(sum / 2 - 3, sum / 2 + 3),
                        () -> b.between(sum - sum / 2 - 3, sum - sum / 2 + 3),
                        c::zero);
            }
            // Few products, of all-ones fractions, and a tiny C.
            case 4 ->
                    of(
                            () -> mostly(a::zero, () -> a.edge(random.nextInt(-8, 9))),
                            () -> b.edge(random.nextInt(-8, 9)),
                            () -> c.between(c.minExponent() - 1, c.minExponent() + 40));
            default -> pairs(depth, () -> c.edge(-depth));
        };
    }

    /// Pairs of products that cancel, but for every `rest`-th, which is off by a unit in the last
    /// place; 0 for all. B is the same along K, so that it does not matter which elements sparse
    /// metadata selects.
    private OperandCodes pairs(int rest, LongSupplier drawC) {
        long[] codesA = InputSource.fill(gridA.count(), () -> a.between(-6, 6));
        for (int i = 0; i < codesA.length; i++) {
            if (gridA.second(i)) {
                codesA[i] = a.negated(codesA[gridA.partner(i)]);
                if (rest > 0 && random.nextInt(rest) == 0) {
                    codesA[i] = a.nudged(codesA[i]);
                }
            }
        }
        long[] codesB = new long[gridB.count()];
        for (int i = 0; i < codesB.length; i++) {
            codesB[i] =
                    i > 0 && gridB.line(i) == gridB.line(i - 1) ? codesB[i - 1] : b.between(-6, 6);
        }
        return new OperandCodes(codesA, codesB, InputSource.fill(countC, drawC));
    }

    private OperandCodes of(LongSupplier drawA, LongSupplier drawB, LongSupplier drawC) {
        return new OperandCodes(
                InputSource.fill(gridA.count(), drawA),
                InputSource.fill(gridB.count(), drawB),
                InputSource.fill(countC, drawC));
    }

    private long special(FloatCodes codes) {
        return random.nextBoolean() && codes.format().hasNaN()
                ? codes.notANumber()
                : codes.infinity();
    }

    private long rarely(LongSupplier rare, LongSupplier usual) {
        return random.nextInt(24) == 0 ? rare.getAsLong() : usual.getAsLong();
    }

    private long mostly(LongSupplier usual, LongSupplier rare) {
        return random.nextInt(8) == 0 ? rare.getAsLong() : usual.getAsLong();
    }
}
