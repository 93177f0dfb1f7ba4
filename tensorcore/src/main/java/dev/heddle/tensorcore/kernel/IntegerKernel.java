package dev.heddle.tensorcore.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.XOR;

import dev.heddle.formats.IntegerFormat;
import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.numerics.Accumulation.IntegerSum;
import dev.heddle.tensorcore.numerics.Accumulation.Overflow;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;

import java.util.Arrays;
import java.util.Optional;

/// Integer sums by vectors.
final class IntegerKernel implements Microkernel {
    private final ShiftedIntegers a;
    private final ShiftedIntegers b;
    private final int blocks;
    private final IntegerSums products;
    private final AccumulatorTable write;
    private final boolean saturate;
    // By column and row
    private final int[] sums;
    // In the order of C and D
    private final int[] words;
    private final int[] zero;

    IntegerKernel(
            Form form, IntegerSum rule, Places places, KOrder order, Optional<Sparsity> sparsity) {
        this.blocks = Math.ceilDiv(places.d().majors(), Lanes.COUNT);
        VectorTable tableA = VectorTable.rows(places.a(), order, 0);
        VectorTable tableB =
                sparsity.isEmpty()
                        ? VectorTable.columns(places.b(), order)
                        : VectorTable.wholeColumns(places.b());
        this.a = new ShiftedIntegers(tableA, (IntegerFormat) form.type(Role.A));
        this.b = new ShiftedIntegers(tableB, (IntegerFormat) form.type(Role.B));
        this.products =
                new IntegerSums(
                        order.kAt().length,
                        places.d().minors(),
                        sparsity.map(metadata -> metadata.picks(order)));
        this.write = AccumulatorTable.of(places.d(), false);
        this.saturate = rule.overflow() == Overflow.SATURATES;
        this.sums = new int[write.elements()];
        this.words = new int[accumulators(places)];
        this.zero = new int[words.length];
    }

    /// How many accumulators there are, which fill C and D alike.
    private static int accumulators(Places places) {
        int accumulators = places.d().word().length;
        if (accumulators % Lanes.COUNT != 0
                || places.d().words(Integer.SIZE) != accumulators
                || !Arrays.equals(places.c().word(), places.d().word())) {
            throw new IllegalArgumentException(
                    "%d integers of C and D: expected a multiple of %d in the same words"
                            .formatted(accumulators, Lanes.COUNT));
        }
        return accumulators;
    }

    @Override
    public void run(Inputs in, int[] result) {
        a.read(in.a());
        b.read(in.b());
        for (int block = 0; block < blocks; block++) {
            products.multiply(block, a.values(), b.values(), sums);
        }
        write.write(sums, words);
        add(in.accumulate() ? in.c() : zero, result);
    }

    private void add(int[] c, int[] result) {
        int saturated = saturate ? -1 : 0;
        for (int at = 0; at < words.length; at += Lanes.COUNT) {
            IntVector sum = IntVector.fromArray(Lanes.INT, words, at);
            IntVector accumulator = IntVector.fromArray(Lanes.INT, c, at);
            IntVector total = sum.add(accumulator);
            VectorMask<Integer> overflow =
                    sum.lanewise(XOR, total)
                            .and(accumulator.lanewise(XOR, total))
                            .and(saturated)
                            .compare(LT, 0);
            IntVector limit = accumulator.lanewise(ASHR, 31).lanewise(XOR, Integer.MAX_VALUE);
            total.blend(limit, overflow).intoArray(result, at);
        }
    }
}
