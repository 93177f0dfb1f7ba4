package dev.heddle.vm.semantics;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/// What lanes of a warp compute together from values of all of them: the function that a whole
/// instruction is. Its entry here, and its line in the table of instructions, are all that an
/// instruction of the kind EXCHANGE needs.
///
/// Operands and results are numbered in the order of the instruction, without the member mask.
public final class WarpFunction {
    private static final Map<String, WarpFunction> FUNCTIONS = new HashMap<>();

    static {
        // PTX ISA 9.7.9.5 and 9.7.9.6. Of the lane five bits count, of the clamp two times five.
        moves("shfl.up.b32", values -> shuffle(Direction.UP, values), 0, 0x1f, 0x1f1f);
        moves("shfl.down.b32", values -> shuffle(Direction.DOWN, values), 0, 0x1f, 0x1f1f);
        moves("shfl.bfly.b32", values -> shuffle(Direction.BUTTERFLY, values), 0, 0x1f, 0x1f1f);
        moves("shfl.idx.b32", values -> shuffle(Direction.INDEX, values), 0, 0x1f, 0x1f1f);
        // PTX ISA 9.7.13.8 and 9.7.13.9.
        rises("vote.all.pred", v -> v.giveAll(0, v.holding() == v.lanes() ? 1 : 0));
        rises("vote.any.pred", v -> v.giveAll(0, v.holding() != 0 ? 1 : 0));
        merges("vote.uni.pred", WarpFunction::uniform);
        rises("vote.ballot.b32", v -> v.giveAll(0, Integer.toUnsignedLong(v.holding())));
        // PTX ISA 9.7.13.10.
        matches("match.any.b32", WarpFunction::matchAny, Dependence.SAME);
        matches("match.any.b64", WarpFunction::matchAny, Dependence.SAME);
        matches("match.all.b32", WarpFunction::matchAll, Dependence.ALL_SAME);
        matches("match.all.b64", WarpFunction::matchAll, Dependence.ALL_SAME);
        // PTX ISA 9.7.13.11.
        merges("activemask.b32", v -> v.giveAll(0, Integer.toUnsignedLong(v.lanes())));
        // PTX ISA 9.7.13.12.
        reduces("redux.add.u32", Integer::sum);
        reduces("redux.add.s32", Integer::sum);
        reduces("redux.min.u32", IntegerArithmetic::minimumU32);
        reduces("redux.min.s32", IntegerArithmetic::minimumS32);
        reduces("redux.max.u32", IntegerArithmetic::maximumU32);
        reduces("redux.max.s32", IntegerArithmetic::maximumS32);
        rises("redux.and.b32", values -> reduce(values, (a, b) -> a & b, value -> value));
        rises("redux.or.b32", values -> reduce(values, (a, b) -> a | b, value -> value));
        reduces("redux.xor.b32", (a, b) -> a ^ b);
        reducesNumbers("redux.min", FloatArithmetic::minimumF32, FloatArithmetic::minimumNanF32);
        reducesNumbers("redux.max", FloatArithmetic::maximumF32, FloatArithmetic::maximumNanF32);
        // PTX ISA 9.7.13.14.
        merges("elect", WarpFunction::elect);
        // PTX ISA 9.7.14.5.17.
        moves("movmatrix.m8n8.trans.b16", WarpFunction::transpose, 0);
    }

    /// What it computes.
    @FunctionalInterface
    private interface Body {
        void apply(ExchangedValues values);
    }

    /// How results depend on the first operand.
    public enum Dependence {
        /// They are bits of it, moved from lane to lane.
        MOVED,
        /// Each depends on that of every lane; a bit that is set in it never clears one of them.
        RISING,
        /// They say which lanes have the same as one of them.
        SAME,
        /// They say whether all lanes have the same.
        ALL_SAME,
        /// Each depends on that of every lane.
        MERGED
    }

    private final Body body;
    private final Dependence dependence;
    private final long[] deciding;

    private WarpFunction(Body body, Dependence dependence, long... deciding) {
        this.body = body;
        this.dependence = dependence;
        this.deciding = deciding;
    }

    /// Results are bits of the first operand, moved from lane to lane.
    ///
    /// @param deciding the bits of each operand that decide where from; 0 for what is moved
    private static void moves(String name, Body body, long... deciding) {
        FUNCTIONS.put(name, new WarpFunction(body, Dependence.MOVED, deciding));
    }

    private static void rises(String name, Body body) {
        FUNCTIONS.put(name, new WarpFunction(body, Dependence.RISING, 0));
    }

    private static void merges(String name, Body body) {
        FUNCTIONS.put(name, new WarpFunction(body, Dependence.MERGED, 0));
    }

    private static void matches(String name, Body body, Dependence dependence) {
        FUNCTIONS.put(name, new WarpFunction(body, dependence, 0));
    }

    /// All lanes get one value, made of two at a time.
    private static void reduces(String name, IntBinaryOperator operation) {
        merges(name, values -> reduce(values, operation, value -> value));
    }

    /// The same of numbers. They are canonical before they meet: one lane alone compares nothing.
    ///
    /// @param number gives the number where the other is a NaN
    /// @param nan gives a NaN then
    private static void reducesNumbers(String name, FloatOperator number, FloatOperator nan) {
        IntUnaryOperator canonical = bits -> bits(FloatArithmetic.canonicalF32(number(bits)));
        IntUnaryOperator magnitude =
                bits -> canonical.applyAsInt(bits(FloatArithmetic.magnitudeF32(number(bits))));
        IntBinaryOperator ofNumbers = onBits(number);
        IntBinaryOperator orNan = onBits(nan);
        merges(name + ".f32", values -> reduce(values, ofNumbers, canonical));
        merges(name + ".NaN.f32", values -> reduce(values, orNan, canonical));
        merges(name + ".abs.f32", values -> reduce(values, ofNumbers, magnitude));
        merges(name + ".abs.NaN.f32", values -> reduce(values, orNan, magnitude));
    }

    /// An operation of two numbers.
    @FunctionalInterface
    private interface FloatOperator {
        float apply(float a, float b);
    }

    private static IntBinaryOperator onBits(FloatOperator operation) {
        return (a, b) -> bits(operation.apply(number(a), number(b)));
    }

    private static float number(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static int bits(float number) {
        return Float.floatToRawIntBits(number);
    }

    /// The function of an instruction.
    ///
    /// @param name its mnemonic in the order of the table, without `.sync` and `.aligned`
    public static WarpFunction of(String name) {
        WarpFunction found = FUNCTIONS.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no warp-wide function is called " + name);
        }
        return found;
    }

    /// The names of all functions.
    public static Set<String> names() {
        return new TreeSet<>(FUNCTIONS.keySet());
    }

    /// Computes the results of the lanes that take part.
    public void apply(ExchangedValues values) {
        body.apply(values);
    }

    /// How results depend on the first operand.
    public Dependence dependence() {
        return dependence;
    }

    /// The bits of an operand that decide what happens; 0 for a value that goes into the results.
    public long deciding(int operand) {
        return deciding[operand];
    }

    // What they compute.

    private enum Direction {
        UP,
        DOWN,
        BUTTERFLY,
        INDEX
    }

    private static void shuffle(Direction direction, ExchangedValues values) {
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int from = source(direction, lane, (int) values.of(1, lane), (int) values.of(2, lane));
            values.give(0, lane, from < 0 ? values.of(0, lane) : values.of(0, from, lane));
            values.give(1, lane, from < 0 ? 0 : 1);
        }
    }

    /// The lane that a lane takes its value from, or -1 where that is out of range.
    private static int source(Direction direction, int lane, int operand, int clamp) {
        int distance = operand & 31;
        int segment = clamp >> 8 & 31;
        int limit = clamp & 31;
        int most = lane & segment | limit & ~segment;
        int from =
                switch (direction) {
                    case UP -> lane - distance;
                    case DOWN -> lane + distance;
                    case BUTTERFLY -> lane ^ distance;
                    case INDEX -> lane & segment | distance & ~segment & 31;
                };
        boolean valid = direction == Direction.UP ? from >= most : from <= most;
        return valid ? from & 31 : -1;
    }

    private static void uniform(ExchangedValues values) {
        int holding = values.holding();
        values.giveAll(0, holding == values.lanes() || holding == 0 ? 1 : 0);
    }

    /// The lanes that have the same value as one of them.
    private static int equal(ExchangedValues values, int lane) {
        int equal = 0;
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int other = Integer.numberOfTrailingZeros(rest);
            equal |= values.of(0, other) == values.of(0, lane) ? 1 << other : 0;
        }
        return equal;
    }

    private static void matchAny(ExchangedValues values) {
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            values.give(0, lane, Integer.toUnsignedLong(equal(values, lane)));
        }
    }

    private static void matchAll(ExchangedValues values) {
        int lanes = values.lanes();
        boolean all = equal(values, Integer.numberOfTrailingZeros(lanes)) == lanes;
        values.giveAll(0, all ? Integer.toUnsignedLong(lanes) : 0);
        values.giveAll(1, all ? 1 : 0);
    }

    /// @param before what each lane's value goes through first
    private static void reduce(
            ExchangedValues values, IntBinaryOperator operation, IntUnaryOperator before) {
        int result = 0;
        boolean first = true;
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int own = (int) values.of(0, Integer.numberOfTrailingZeros(rest));
            int value = before.applyAsInt(own);
            result = first ? value : operation.applyAsInt(result, value);
            first = false;
        }
        values.giveAll(0, Integer.toUnsignedLong(result));
    }

    private static void elect(ExchangedValues values) {
        int leader = Integer.numberOfTrailingZeros(values.lanes());
        values.giveAll(0, leader);
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            values.give(1, lane, lane == leader ? 1 : 0);
        }
    }

    /// An 8x8 tile of 16-bit elements: lane l holds columns 2 (l mod 4) and the next of row l / 4.
    private static void transpose(ExchangedValues values) {
        for (int rest = values.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int row = lane / 4;
            int column = lane % 4 * 2;
            long low = element(values, column, row);
            long high = element(values, column + 1, row);
            values.give(0, lane, low | high << 16);
        }
    }

    private static long element(ExchangedValues values, int row, int column) {
        return values.of(0, 4 * row + column / 2) >>> 16 * (column % 2) & 0xffff;
    }
}
