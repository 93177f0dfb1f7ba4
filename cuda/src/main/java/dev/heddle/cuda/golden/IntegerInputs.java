package dev.heddle.cuda.golden;

import dev.heddle.formats.IntegerFormat;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/// Draws operands of integer forms: A and B of 8, 4 or 1 bit, C of s32.
record IntegerInputs(
        IntegerFormat formatA,
        OperandGrid gridA,
        IntegerFormat formatB,
        OperandGrid gridB,
        int countC,
        SplittableRandom random)
        implements InputSource {
    private static final int NEAR_A_LIMIT = 1 << 20;

    @Override
    public int subclasses(CaseClass caseClass) {
        return 2;
    }

    @Override
    public OperandCodes draw(CaseClass caseClass, int subclass) {
        boolean first = Math.floorMod(subclass, 2) == 0;
        return switch (caseClass) {
            case MODERATE ->
                    of(
                            () -> any(formatA),
                            () -> any(formatB),
                            first ? this::anyC : () -> code(random.nextInt(-1000, 1001)));
            case RANDOM_BITS ->
                    of(
                            () -> min(formatA),
                            () -> first ? min(formatB) : max(formatB),
                            first ? this::anyC : () -> code(Integer.MAX_VALUE));
            case TINY ->
                    of(
                            () -> max(formatA),
                            () -> first ? max(formatB) : min(formatB),
                            first ? () -> code(Integer.MAX_VALUE) : () -> code(Integer.MIN_VALUE));
            case CANCELLATION -> of(() -> any(formatA), () -> any(formatB), this::nearALimit);
            case OVERFLOW -> of(() -> extreme(formatA), () -> extreme(formatB), this::nearALimit);
            case ZEROS ->
                    of(
                            () -> random.nextInt(8) == 0 ? any(formatA) : 0,
                            () -> first && random.nextInt(4) != 0 ? 0 : any(formatB),
                            () -> first ? 0 : anyC());
            case SMALL_INTEGERS ->
                    of(
                            () -> formatA.clamp(random.nextInt(-2, 3)),
                            () -> formatB.clamp(random.nextInt(-2, 3)),
                            () -> code(random.nextInt(-16, 17)));
            case EDGES -> thereAndBack(first);
        };
    }

    /// Products that push the partial sum over the limit in the first half of each row and pull
    /// it back in the second: saturation at each step shows, saturation at the end does not.
    private OperandCodes thereAndBack(boolean up) {
        long[] a = new long[gridA.count()];
        for (int i = 0; i < a.length; i++) {
            boolean early = gridA.second(i) != up;
            a[i] = early ? max(formatA) : min(formatA);
        }
        return new OperandCodes(
                a,
                InputSource.fill(gridB.count(), () -> max(formatB)),
                InputSource.fill(
                        countC,
                        () ->
                                code(
                                        up
                                                ? Integer.MAX_VALUE - random.nextInt(64)
                                                : Integer.MIN_VALUE + random.nextInt(64))));
    }

    private long any(IntegerFormat format) {
        return random.nextLong() & format.mask();
    }

    private static long min(IntegerFormat format) {
        return format.wrap(format.min().longValueExact());
    }

    private static long max(IntegerFormat format) {
        return format.wrap(format.max().longValueExact());
    }

    private long extreme(IntegerFormat format) {
        return random.nextBoolean() ? min(format) : max(format);
    }

    private long anyC() {
        return code(random.nextInt());
    }

    private long nearALimit() {
        int distance = random.nextInt(NEAR_A_LIMIT);
        return code(
                random.nextBoolean() ? Integer.MAX_VALUE - distance : Integer.MIN_VALUE + distance);
    }

    private static long code(int value) {
        return Integer.toUnsignedLong(value);
    }

    private OperandCodes of(LongSupplier drawA, LongSupplier drawB, LongSupplier drawC) {
        return new OperandCodes(
                InputSource.fill(gridA.count(), drawA),
                InputSource.fill(gridB.count(), drawB),
                InputSource.fill(countC, drawC));
    }
}
