package dev.heddle.vm;

import dev.heddle.vm.scheduling.Grid.Extent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How a kernel is started.
///
/// @param grid CTAs in each direction
/// @param block threads of a CTA in each direction
/// @param dynamicShared bytes of dynamic shared memory
/// @param arguments in the order of the parameters
/// @param limits beyond which the launch ends
/// @param checking what is looked for while it runs
/// @param threads worker threads; results do not depend on it
/// @param cluster CTAs of a cluster in each direction; only clusters of one CTA run on the CPU
public record Launch(
        Extent grid,
        Extent block,
        int dynamicShared,
        List<Argument> arguments,
        Bounds limits,
        Checking checking,
        int threads,
        Extent cluster) {
    public Launch {
        arguments = List.copyOf(arguments);
    }

    /// What is looked for while a kernel runs.
    public enum Checking {
        /// Everything undefined that the machine knows.
        ALL,
        /// Only what would leave the device's memory.
        NONE
    }

    /// The limits of a launch.
    ///
    /// @param memoryBytes global memory
    /// @param localBytes local memory of a thread
    /// @param steps thread-steps in all
    /// @param time of the whole launch
    public record Bounds(long memoryBytes, int localBytes, long steps, Duration time) {
        /// 2,000 MiB, 512 KiB, no bound on steps, ten minutes.
        public static final Bounds DEFAULT =
                new Bounds(2_000L << 20, 512 << 10, Long.MAX_VALUE / 2, Duration.ofMinutes(10));
    }

    /// A launch with default limits, all checks, on all cores.
    public static Launch of(Extent grid, Extent block, Argument... arguments) {
        return new Launch(
                grid,
                block,
                0,
                List.of(arguments),
                Bounds.DEFAULT,
                Checking.ALL,
                Runtime.getRuntime().availableProcessors(),
                new Extent(1, 1, 1));
    }

    /// A launch of CTAs in one direction, each of one thread and without arguments until [#block]
    /// and [#passing] say more.
    public static Launch grid(int x) {
        return grid(x, 1, 1);
    }

    /// A launch of CTAs in three directions, as [#grid(int)].
    public static Launch grid(int x, int y, int z) {
        return of(new Extent(x, y, z), new Extent(1, 1, 1));
    }

    /// The same with CTAs of so many threads.
    public Launch block(int x) {
        return block(x, 1, 1);
    }

    /// The same with CTAs of so many threads in three directions.
    public Launch block(int x, int y, int z) {
        return new Launch(
                grid,
                new Extent(x, y, z),
                dynamicShared,
                arguments,
                limits,
                checking,
                threads,
                cluster);
    }

    /// The same with these arguments behind those it has.
    public Launch passing(Argument... more) {
        List<Argument> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return new Launch(grid, block, dynamicShared, all, limits, checking, threads, cluster);
    }

    /// The same with so much dynamic shared memory.
    public Launch withDynamicShared(int bytes) {
        return new Launch(grid, block, bytes, arguments, limits, checking, threads, cluster);
    }

    /// The same with these limits.
    public Launch withLimits(Bounds bounds) {
        return new Launch(
                grid, block, dynamicShared, arguments, bounds, checking, threads, cluster);
    }

    /// The same with these checks.
    public Launch withChecking(Checking checks) {
        return new Launch(grid, block, dynamicShared, arguments, limits, checks, threads, cluster);
    }

    /// The same on so many worker threads.
    public Launch withThreads(int count) {
        return new Launch(grid, block, dynamicShared, arguments, limits, checking, count, cluster);
    }

    /// The same in clusters of so many CTAs.
    public Launch withCluster(Extent size) {
        return new Launch(grid, block, dynamicShared, arguments, limits, checking, threads, size);
    }
}
