package dev.heddle.vm;

import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Reporting;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How a kernel is started.
///
/// ```java
/// Launch launch = Launch.grid(4).block(128)
///         .with(Argument.of("q", q))                       // a buffer that is no parameter
///         .setting("c_scale", Argument.f32(0.5f))          // a __constant__ variable
///         .passing(Argument.poison("out", 4 * 512), Argument.s32(512));
/// ```
///
/// @param shape what of the launch the kernel can see
/// @param arguments in the order of the parameters
/// @param state what memory holds before the launch, apart from the arguments
/// @param conditions under which it runs
public record Launch(Shape shape, List<Argument> arguments, State state, Conditions conditions) {
    private static final Extent ONE = new Extent(1, 1, 1);

    public Launch {
        arguments = List.copyOf(arguments);
    }

    /// What of a launch the kernel can see.
    ///
    /// @param grid CTAs in each direction
    /// @param block threads of a CTA in each direction
    /// @param cluster CTAs of a cluster in each direction; null where the kernel decides, by its
    ///     `.reqnctapercluster`
    /// @param dynamicShared bytes of dynamic shared memory
    /// @param cooperative whether all CTAs run at once and may wait for one another
    public record Shape(
            Extent grid,
            Extent block,
            @Nullable Extent cluster,
            int dynamicShared,
            boolean cooperative) {}

    /// What memory holds before a launch.
    ///
    /// @param buffers that are no parameter
    /// @param variables what variables of the module hold, by name
    public record State(List<Argument.Buffer> buffers, Map<String, Argument> variables) {
        /// Nothing but what the arguments and the module say.
        public static final State NONE = new State(List.of(), Map.of());

        public State {
            buffers = List.copyOf(buffers);
            variables = Collections.unmodifiableMap(new LinkedHashMap<>(variables));
        }
    }

    /// How a launch is watched and when it is ended.
    ///
    /// @param limits beyond which it ends
    /// @param checks what is looked for while it runs
    /// @param threads worker threads; results do not depend on it
    /// @param reporting what becomes of findings
    public record Conditions(
            Bounds limits, Set<RuleGroup> checks, int threads, Reporting reporting) {
        public Conditions {
            checks =
                    checks.isEmpty()
                            ? Set.of()
                            : Collections.unmodifiableSet(EnumSet.copyOf(checks));
        }

        /// Of which the first finding ends the launch.
        public Conditions(Bounds limits, Set<RuleGroup> checks, int threads) {
            this(limits, checks, threads, Reporting.FIRST);
        }

        /// Default limits, all checks, all cores.
        public static Conditions usual() {
            return new Conditions(
                    Bounds.DEFAULT, RuleGroup.CHECKS, Runtime.getRuntime().availableProcessors());
        }
    }

    /// The limits of a launch.
    ///
    /// @param memoryBytes global memory
    /// @param localBytes local memory of a thread
    /// @param steps thread-steps in all
    /// @param time of the whole launch
    public record Bounds(long memoryBytes, int localBytes, long steps, Duration time) {
        /// 2,000 MiB, 512 KiB, no bound on steps, one minute.
        public static final Bounds DEFAULT =
                new Bounds(2_000L << 20, 512 << 10, Long.MAX_VALUE / 2, Duration.ofMinutes(1));

        /// The most seconds that can be asked for.
        public static final double MOST_SECONDS = 1e6;

        /// The same with another limit of time.
        public Bounds withTime(Duration limit) {
            return new Bounds(memoryBytes, localBytes, steps, limit);
        }

        /// The same with another limit of thread-steps.
        public Bounds withSteps(long limit) {
            return new Bounds(memoryBytes, localBytes, limit, time);
        }
    }

    /// A launch with default limits, all checks, on all cores.
    public static Launch of(Extent grid, Extent block, Argument... arguments) {
        return new Launch(
                new Shape(grid, block, null, 0, false),
                List.of(arguments),
                State.NONE,
                Conditions.usual());
    }

    /// A launch of CTAs in one direction, each of one thread and without arguments until [#block]
    /// and [#passing] say more.
    public static Launch grid(int x) {
        return grid(x, 1, 1);
    }

    /// A launch of CTAs in three directions, as [#grid(int)].
    public static Launch grid(int x, int y, int z) {
        return of(new Extent(x, y, z), ONE);
    }

    /// CTAs in each direction.
    public Extent grid() {
        return shape.grid();
    }

    /// Threads of a CTA in each direction.
    public Extent block() {
        return shape.block();
    }

    /// Bytes of dynamic shared memory.
    public int dynamicShared() {
        return shape.dynamicShared();
    }

    /// Beyond what it ends.
    public Bounds limits() {
        return conditions.limits();
    }

    /// What is looked for while it runs.
    public Set<RuleGroup> checks() {
        return conditions.checks();
    }

    /// What becomes of findings.
    public Reporting reporting() {
        return conditions.reporting();
    }

    /// Worker threads.
    public int threads() {
        return conditions.threads();
    }

    /// The same with CTAs of so many threads.
    public Launch block(int x) {
        return block(x, 1, 1);
    }

    /// The same with CTAs of so many threads in three directions.
    public Launch block(int x, int y, int z) {
        return withShape(
                new Shape(
                        grid(),
                        new Extent(x, y, z),
                        shape.cluster(),
                        dynamicShared(),
                        shape.cooperative()));
    }

    /// The same in clusters of so many CTAs.
    public Launch cluster(int x, int y, int z) {
        return withShape(
                new Shape(
                        grid(),
                        block(),
                        new Extent(x, y, z),
                        dynamicShared(),
                        shape.cooperative()));
    }

    /// The same as a cooperative launch: its CTAs may wait for one another (`grid.sync()`).
    public Launch cooperative() {
        return withShape(new Shape(grid(), block(), shape.cluster(), dynamicShared(), true));
    }

    /// The same with so much dynamic shared memory.
    public Launch withDynamicShared(int bytes) {
        return withShape(new Shape(grid(), block(), shape.cluster(), bytes, shape.cooperative()));
    }

    /// The same with these arguments behind those it has.
    public Launch passing(Argument... more) {
        List<Argument> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return withArguments(all);
    }

    /// The same with these arguments.
    public Launch withArguments(List<Argument> all) {
        return new Launch(shape, all, state, conditions);
    }

    /// The same with these buffers besides, which are no parameter of their own: structures,
    /// variables and later launches hold their addresses.
    ///
    /// @throws IllegalArgumentException for an argument that is no buffer
    public Launch with(Argument... buffers) {
        List<Argument.Buffer> all = new ArrayList<>(state.buffers());
        for (Argument argument : buffers) {
            if (!(argument instanceof Argument.Buffer buffer)) {
                throw new IllegalArgumentException(argument + " is no buffer");
            }
            all.add(buffer);
        }
        return withState(new State(all, state.variables()));
    }

    /// The same with a value for a `__constant__` or `__device__` variable of the module.
    ///
    /// @param variable its name in PTX, a part that only its name has, or as C++ writes it
    /// @param value a value, a structure or an address; at most as many bytes as the variable has.
    ///     Of a buffer, which is then one of the launch's, it is the address
    public Launch setting(String variable, Argument value) {
        Map<String, Argument> all = new LinkedHashMap<>(state.variables());
        all.put(variable, value);
        Launch with = value instanceof Argument.Buffer ? with(value) : this;
        return withState(new State(with.state.buffers(), all));
    }

    /// The same of another shape.
    public Launch withShape(Shape other) {
        return new Launch(other, arguments, state, conditions);
    }

    /// The same with other state before it.
    public Launch withState(State other) {
        return new Launch(shape, arguments, other, conditions);
    }

    /// The same under other conditions.
    public Launch withConditions(Conditions other) {
        return new Launch(shape, arguments, state, other);
    }

    /// The same with these limits.
    public Launch withLimits(Bounds bounds) {
        return withConditions(new Conditions(bounds, checks(), threads(), conditions.reporting()));
    }

    /// The same with only these checks.
    public Launch withChecks(Set<RuleGroup> groups) {
        return withConditions(new Conditions(limits(), groups, threads(), conditions.reporting()));
    }

    /// The same on so many worker threads.
    public Launch withThreads(int count) {
        return withConditions(new Conditions(limits(), checks(), count, conditions.reporting()));
    }

    /// The same with another use of its findings.
    public Launch reporting(Reporting other) {
        return withConditions(new Conditions(limits(), checks(), threads(), other));
    }
}
