package dev.heddle.bench;

import org.openjdk.jmh.annotations.Param;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/// Times the instructions of [TensorCoreBenchmark] on a machine that others use too: wall time of
/// slices so short that the best of them ran undisturbed.
///
/// `TensorCoreTimes [PART_OF_OPCODE...]`
public final class TensorCoreTimes {
    private static final long WARM_UP_NANOSECONDS = 2_000_000_000L;
    private static final long SLICE_NANOSECONDS = 50_000;
    private static final int SLICES = 4000;

    private TensorCoreTimes() {}

    public static void main(String[] parts) throws NoSuchFieldException {
        String[] opcodes =
                TensorCoreBenchmark.class.getField("opcode").getAnnotation(Param.class).value();
        System.out.println("| instruction | ns, best | lower quartile | G multiply-adds/s, best |");
        System.out.println("| --- | --- | --- | --- |");
        for (String opcode : opcodes) {
            if (parts.length == 0 || Arrays.stream(parts).anyMatch(opcode::contains)) {
                time(opcode);
            }
        }
    }

    private static void time(String opcode) {
        TensorCoreBenchmark instruction = new TensorCoreBenchmark();
        instruction.opcode = opcode;
        instruction.prepare();
        int perSlice = 1;
        for (long start = processorTime(); processorTime() < start + WARM_UP_NANOSECONDS; ) {
            perSlice =
                    Math.max(1, (int) (SLICE_NANOSECONDS * 16 / Math.max(1, run(instruction, 16))));
        }
        long[] slices = new long[SLICES];
        for (int i = 0; i < SLICES; i++) {
            slices[i] = run(instruction, perSlice);
        }
        instruction.check();
        Arrays.sort(slices);
        double best = (double) slices[0] / perSlice;
        System.out.printf(
                "| %s | %.0f | %.0f | %.2f |%n",
                opcode,
                best,
                (double) slices[SLICES / 4] / perSlice,
                instruction.multiplyAdds() / best);
    }

    /// Nanoseconds of wall time.
    private static long run(TensorCoreBenchmark instruction, int times) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            instruction.execute();
        }
        return System.nanoTime() - start;
    }

    private static long processorTime() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
