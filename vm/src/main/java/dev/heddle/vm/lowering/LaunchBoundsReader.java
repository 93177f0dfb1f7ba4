package dev.heddle.vm.lowering;

import dev.heddle.ptx.Function;
import dev.heddle.ptx.Signature;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.LaunchBounds;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Reads what the directives of a kernel demand of its launches.
final class LaunchBoundsReader {
    /// More than any launch has.
    private static final long UNBOUNDED = 1 << 20;

    // Of one thread, as `setmaxnreg` counts them (PTX ISA 9.7.19.5)
    private static final long FEWEST_REGISTERS = 24;
    private static final long MOST_REGISTERS = 256;

    private LaunchBoundsReader() {}

    /// Null for a device function.
    static @Nullable LaunchBounds of(Function function) {
        return function.isEntry() ? of(function.signature().directives()) : null;
    }

    private static LaunchBounds of(List<Signature.Directive> directives) {
        Extent block = null;
        Extent cluster = null;
        long threads = UNBOUNDED;
        long ranks = UNBOUNDED;
        boolean explicit = false;
        int registers = 0;
        for (Signature.Directive directive : directives) {
            switch (directive.name()) {
                case "reqntid" -> block = extent(directive.values());
                case "maxntid" -> threads = Math.min(threads, product(directive.values()));
                case "reqnctapercluster" -> cluster = extent(directive.values());
                case "maxclusterrank" -> ranks = Math.min(ranks, product(directive.values()));
                case "explicitcluster" -> explicit = true;
                case "maxnreg" -> registers = registers(product(directive.values()));
                default -> {}
            }
        }
        return new LaunchBounds(block, threads, cluster, ranks, explicit, registers);
    }

    /// What the limit of `.maxnreg` comes to: registers are handed out by eights.
    private static int registers(long limit) {
        return (int) Math.clamp(limit + 7 & -8, FEWEST_REGISTERS, MOST_REGISTERS);
    }

    private static long product(List<Long> values) {
        long product = 1;
        for (long value : values) {
            // Never so large that it overflows.
            product = Math.min(product * Math.min(Math.max(value, 0), UNBOUNDED), UNBOUNDED);
        }
        return product;
    }

    private static @Nullable Extent extent(List<Long> values) {
        int[] extents = {1, 1, 1};
        for (int i = 0; i < Math.min(3, values.size()); i++) {
            long value = values.get(i);
            if (value < 1 || value > Integer.MAX_VALUE) {
                return null;
            }
            extents[i] = (int) value;
        }
        return new Extent(extents[0], extents[1], extents[2]);
    }
}
