package dev.heddle.vm.races;

import dev.heddle.vm.ir.MemoryOrder;

import java.util.List;
import java.util.Random;

/// A small random program of some threads, two in each warp, that share a few bytes of shared or
/// global memory: instructions one after the other, each for some of the threads.
///
/// @param shape of its launch
/// @param slots the instructions
record SharingProgram(Shape shape, List<Slot> slots) {
    /// One CTA, whose threads share shared memory.
    static final Shape ONE_CTA = new Shape(1, 1, 3, false, false);

    /// One CTA whose threads share shared memory with bulk copies, too.
    static final Shape COPIES = new Shape(1, 1, 3, true, false);

    /// CTAs that share global memory, alone or in clusters.
    static final List<Shape> GRIDS =
            List.of(
                    new Shape(3, 1, 2, false, false),
                    new Shape(4, 1, 1, false, false),
                    new Shape(2, 2, 2, false, false),
                    new Shape(4, 2, 2, false, false));

    /// Clusters whose CTAs share their shared memory.
    static final List<Shape> CLUSTERS =
            List.of(
                    new Shape(2, 2, 2, false, true),
                    new Shape(3, 3, 1, false, true),
                    new Shape(4, 2, 1, false, true));

    /// Clusters whose CTAs write into each other's shared memory asynchronously, too.
    static final List<Shape> REMOTE_COPIES =
            List.of(new Shape(2, 2, 2, true, true), new Shape(3, 3, 1, true, true));

    /// CTAs that share global memory with bulk copies, too.
    static final List<Shape> GLOBAL_COPIES =
            List.of(new Shape(2, 1, 2, true, false), new Shape(3, 1, 1, true, false));

    /// Objects of a CTA: one for each actor, or each use, and others that await several arrivals.
    static final int OBJECTS = 12;

    /// In the place of a CTA's rank: global memory.
    static final int GLOBAL = -1;

    /// The arrivals that end a phase of an object.
    static int arrivals(int object) {
        return object < 6 ? 1 : object < 10 ? 2 : 3;
    }

    /// Threads of a launch.
    ///
    /// @param ctas of the grid; with one, they share shared memory
    /// @param cluster CTAs of a cluster
    /// @param warps of a CTA
    /// @param copies whether there are bulk copies
    /// @param distributed whether CTAs of a cluster share their shared memory
    record Shape(int ctas, int cluster, int warps, boolean copies, boolean distributed) {
        /// Whether there is more than one CTA.
        boolean isGrid() {
            return ctas > 1;
        }

        /// Whether somebody writes what `cp.async` copies from.
        boolean writesSources() {
            return equals(COPIES);
        }

        /// Whether what is shared is global memory.
        boolean isGlobal() {
            return isGrid() && !distributed;
        }

        /// Threads that do something.
        int actors() {
            return 2 * ctas * warps;
        }

        /// One of the threads of a CTA.
        int actorOf(Random random, int rank) {
            int threads = 2 * warps;
            return threads * rank + random.nextInt(threads);
        }

        int all() {
            return (1 << actors()) - 1;
        }
    }

    /// An instruction and the threads that run it.
    ///
    /// @param actors bit 2 * (warp among those of the grid) + lane
    record Slot(Operation operation, int actors) {}

    /// What an instruction does.
    sealed interface Operation {
        /// Reads, writes or both.
        ///
        /// @param rank of the CTA whose memory it is, where it is distributed, or [#GLOBAL]
        /// @param value what is stored, before the thread's number is added
        record Memory(
                int rank,
                boolean reads,
                boolean writes,
                boolean returns,
                MemoryOrder order,
                String scope,
                int at,
                int bytes,
                int value)
                implements Operation {}

        /// What orders accesses of threads, or is a part of what does.
        sealed interface Fencing extends Operation {
            MemoryOrder order();

            String scope();

            FenceEffect effect();
        }

        /// `fence`, or `membar` where it is sequentially consistent.
        record Fence(MemoryOrder order, String scope, FenceEffect effect) implements Fencing {
            /// One without restrictions.
            Fence(MemoryOrder order, String scope) {
                this(order, scope, FenceEffect.ANY);
            }
        }

        /// `bar.sync 0` of the CTA.
        record CtaBarrier() implements Operation {}

        /// `barrier.cluster` of the cluster.
        record ClusterBarrier() implements Operation {}

        /// `barrier.cluster.arrive` of the cluster.
        ///
        /// @param order as it is written, or nothing
        record ClusterArrive(String order) implements Operation {}

        /// `barrier.cluster.wait`.
        record ClusterWait() implements Operation {}

        /// `bar.arrive` of the first warp, `bar.sync` of the second.
        record HandOver(int number, int from, int to, boolean both) implements Operation {}

        /// `bar.warp.sync` of the actors.
        record WarpBarrier() implements Operation {}

        /// The warps let others run.
        record Yield() implements Operation {}

        /// `mbarrier.arrive`, at the object of a CTA of the cluster.
        record Arrive(int rank) implements Operation {}

        /// `mbarrier.test_wait.parity`.
        record TestWait(int parity) implements Operation {}

        /// `cp.async` to a word, from one of the sources ([#source]) where the program writes
        /// there.
        ///
        /// @param isSpread whether each lane copies to a word of its own
        /// @param isJoint whether all copy from the first source, else each from its own
        /// @param commits whether its group ends with it
        record Copy(int at, boolean isSpread, boolean isJoint, boolean commits)
                implements Operation {
            /// Where the source of an actor is, in global memory.
            static int source(int actor) {
                return 32 + 4 * actor;
            }

            /// What an actor copies from.
            int from(int actor) {
                return source(isJoint ? 0 : actor);
            }

            int at(int lane) {
                return at + (isSpread ? 4 * lane : 0);
            }
        }

        /// `cp.async.wait_all`.
        record CopyWait() implements Operation {}

        /// `cp.async.wait_group`.
        record CopyGroupWait(int pending) implements Operation {}

        /// `cp.async.mbarrier.arrive` at an object of the CTA.
        ///
        /// @param counts whether it is one of the arrivals that the phase awaits (`.noinc`)
        record HandCopies(int object, boolean counts) implements Operation {}

        /// `mbarrier.arrive` at an object of a CTA of the cluster.
        record ArriveAt(int rank, int object, boolean isRelaxed) implements Operation {
            /// One that releases, at an object of the only CTA.
            ArriveAt(int object) {
                this(0, object, false);
            }
        }

        /// `fence.proxy.async`.
        ///
        /// @param order of one that is of one direction, and then also releases or acquires; else
        ///     `WEAK`
        record ProxyFence(MemoryOrder order) implements Fencing {
            /// One of both directions.
            ProxyFence() {
                this(MemoryOrder.WEAK);
            }

            @Override
            public String scope() {
                return "cluster";
            }

            @Override
            public FenceEffect effect() {
                return switch (order) {
                    case RELEASE -> FenceEffect.SHARED_CTA;
                    case ACQUIRE -> FenceEffect.SHARED_CLUSTER;
                    default -> FenceEffect.ANY;
                };
            }
        }

        /// `mbarrier.arrive.expect_tx`, at an object of the CTA: one for each actor, or each use.
        record Expect(int object, int bytes) implements Operation {}

        /// A bulk copy of 16 bytes of global memory into shared memory, which an object of the CTA
        /// counts.
        record BulkLoad(int at, int object, int from) implements Operation {}

        /// `st.async` of a word of a CTA of the cluster, which an object of that CTA counts.
        record StoreAsync(int rank, int at, int object, int value) implements Operation {}

        /// `red.async`, likewise.
        record ReduceAsync(int rank, int at, int object, int value) implements Operation {}

        /// A bulk copy of 16 bytes into shared memory of some CTAs of the cluster, each of which
        /// counts it by its own object.
        ///
        /// @param ranks by bits
        record Multicast(int ranks, int at, int object) implements Operation {}

        /// A bulk copy of 16 bytes of the CTA's own shared memory into that of another CTA of the
        /// cluster, whose object counts it.
        ///
        /// @param reduction its operation and type as the instruction names them, or nothing
        record BulkSend(int rank, int at, int from, int object, String reduction)
                implements Operation {
            /// Bytes of an element of a reduction, or 0.
            int element() {
                return reduction.isEmpty() ? 0 : reduction.endsWith("64") ? 8 : 4;
            }
        }

        /// `mbarrier.test_wait.parity` on an object of the CTA.
        record Await(int object, int parity, boolean isRelaxed) implements Operation {
            /// One that acquires.
            Await(int object, int parity) {
                this(object, parity, false);
            }
        }

        /// A bulk copy of 16 bytes out of shared memory.
        ///
        /// @param to where in global memory; [#OWN] is a place that nobody else touches
        /// @param reduces whether it adds words instead
        /// @param commits whether its group ends with it
        record BulkStore(int at, int to, boolean reduces, boolean commits) implements Operation {
            static final int OWN = -1;
        }

        /// `cp.async.bulk.wait_group 0`, or `.read`.
        record BulkWait(boolean read) implements Operation {}
    }
}
