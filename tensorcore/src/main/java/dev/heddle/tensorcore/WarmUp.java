package dev.heddle.tensorcore;

import dev.heddle.isa.Form;
import dev.heddle.tensorcore.kernel.Kernels;
import dev.heddle.tensorcore.kernel.Kernels.Speed;
import dev.heddle.tensorcore.numerics.Accumulation;
import dev.heddle.tensorcore.x86.Processor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Whether the vector kernels of some forms are worth the JIT's time.
///
/// A vector is an object until the JIT has compiled the method it is in; until then a product takes
/// a thousand times as long. So the first products of a process run plainly. Where many come, all
/// go over to the vectors, and wait for the JIT once; where it makes nothing of vectors, all stay
/// plain. The result has the same bits either way.
final class WarmUp {
    /// Products of a kind that run plainly: they take a tenth of a second, the JIT half a second.
    private static final int FEW = 1500;

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
            case ADAPTIVE -> {
                boolean ends = Processor.compilesVectors() && Kernels.hasVectors(accumulation);
                Kind kind = new Kind(accumulation.getClass(), form.metadata().isPresent());
                yield KINDS.computeIfAbsent(kind, _ -> new WarmUp(true, ends));
            }
            case PLAIN -> new WarmUp(true, false);
            case FAST, COLUMNS, EXACT -> new WarmUp(false, false);
        };
    }

    /// Whether products are computed plainly for now.
    boolean isPlain() {
        return plain;
    }

    /// Counts a product that was computed plainly.
    void count() {
        if (ends && products.incrementAndGet() >= FEW) {
            plain = false;
        }
    }
}
