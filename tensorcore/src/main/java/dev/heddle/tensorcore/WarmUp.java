package dev.heddle.tensorcore;

import dev.heddle.isa.Form;
import dev.heddle.isa.Role;
import dev.heddle.tensorcore.kernel.Kernels;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Accumulation;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Whether the vector kernels of some forms are ready.
///
/// A vector is an object until the JIT has compiled the method it is in; until then a product takes
/// a thousand times as long. So the first products of a process run plainly. Where many come, a
/// thread of its own runs the vector kernel on the same operands until it is compiled, and then all
/// products go over to it. The result has the same bits either way.
final class WarmUp {
    /// Products after which the vectors are worth the JIT's time: fewer take a tenth of a second.
    private static final int ENOUGH = 1500;

    /// Products that are timed together.
    private static final int BATCH = 16;

    /// Batches in a row in which the vectors must be ahead by `LEAD`.
    private static final int BATCHES = 8;

    private static final int LEAD = 2;
    private static final long LONGEST_NANOS = 5_000_000_000L;

    /// Forms whose kernels are the same methods.
    private record Kind(Class<? extends Accumulation> rule, boolean sparse) {}

    private static final Map<Kind, WarmUp> KINDS = new ConcurrentHashMap<>();

    private final AtomicInteger products = new AtomicInteger();
    private final boolean ends;
    private volatile boolean plain;

    private WarmUp(boolean plain, boolean ends) {
        this.plain = plain;
        this.ends = ends;
    }

    static WarmUp of(Form form, Accumulation accumulation, Speed speed) {
        return switch (speed) {
            case ADAPTIVE ->
                    Kernels.hasVectors()
                            ? KINDS.computeIfAbsent(
                                    new Kind(accumulation.getClass(), form.metadata().isPresent()),
                                    kind -> new WarmUp(true, true))
                            : new WarmUp(true, false);
            case PLAIN -> new WarmUp(true, false);
            case FAST, SCALAR, EXACT -> new WarmUp(false, false);
        };
    }

    /// Whether products are computed plainly for now.
    boolean isPlain() {
        return plain;
    }

    /// Counts a product, and starts the vector kernel beside the products where they are many.
    void count(TensorCore core, Operands operands) {
        if (ends && products.incrementAndGet() == ENOUGH) {
            TensorCore slow = core.withSpeed(Speed.PLAIN);
            TensorCore fast = core.withSpeed(Speed.FAST);
            Operands copy = operands.copy();
            Thread.ofPlatform()
                    .daemon()
                    .name("heddle-warm-up")
                    .start(() -> compile(slow, fast, copy));
        }
    }

    private void compile(TensorCore slow, TensorCore fast, Operands operands) {
        int[] d = new int[slow.words(Role.D)];
        long aim = batch(slow, operands, d) / LEAD;
        long end = System.nanoTime() + LONGEST_NANOS;
        int ahead = 0;
        while (ahead < BATCHES && System.nanoTime() < end) {
            ahead = batch(fast, operands, d) < aim ? ahead + 1 : 0;
        }
        plain = false;
    }

    /// The nanoseconds that a batch of products takes.
    private static long batch(TensorCore core, Operands operands, int[] d) {
        long start = System.nanoTime();
        for (int i = 0; i < BATCH; i++) {
            core.execute(operands, d);
        }
        return System.nanoTime() - start;
    }
}
