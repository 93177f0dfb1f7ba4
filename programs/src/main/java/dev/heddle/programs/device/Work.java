package dev.heddle.programs.device;

import dev.heddle.programs.device.Graph.Kind;
import dev.heddle.programs.device.Place.Block;
import dev.heddle.vm.Launch;
import dev.heddle.vm.memory.Buffer;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Work of the device: what does it, and what was asked for, as a graph tells it again.
public sealed interface Work extends Runnable {
    /// Bytes that are moved within some ten microseconds.
    long SHORT_BYTES = 1 << 20;

    /// Which node of a graph it is.
    default Kind kind() {
        return switch (this) {
            case Launching _ -> Kind.KERNEL;
            case Copying _ -> Kind.MEMCPY;
            case Filling _ -> Kind.MEMSET;
            case Calling _ -> Kind.HOST;
            case Child _ -> Kind.GRAPH;
            case Conditional _ -> Kind.CONDITIONAL;
            case OfWords _ -> Kind.BATCH_MEM_OP;
            case OfEvent(Kind kind, _, _) -> kind;
            case OfMemory(Kind kind, _, _) -> kind;
            case Plain(Kind kind, _) -> kind;
        };
    }

    /// What does it.
    Runnable action();

    /// Whether it takes no longer than to give it to another thread.
    default boolean isShort() {
        return false;
    }

    /// The graphs in it.
    default List<Graph> graphs() {
        return List.of();
    }

    @Override
    default void run() {
        action().run();
    }

    /// A launch.
    ///
    /// @param function the handle of its kernel
    record Launching(long function, Launch launch, Runnable action) implements Work {}

    /// A copy.
    record Copying(Copies.Copy copy, Runnable action) implements Work {
        @Override
        public boolean isShort() {
            return copy.block().bytes() <= SHORT_BYTES;
        }
    }

    /// A fill.
    ///
    /// @param value of each element
    /// @param element its size in bytes
    record Filling(Place place, int value, int element, Block block, Runnable action)
            implements Work {
        @Override
        public boolean isShort() {
            return block.bytes() <= SHORT_BYTES;
        }
    }

    /// A call of a function of the host.
    ///
    /// @param data what it is given
    record Calling(long function, long data, Runnable action) implements Work {}

    /// A graph in a graph.
    record Child(Graph graph) implements Work {
        @Override
        public Runnable action() {
            return graph::launch;
        }

        @Override
        public List<Graph> graphs() {
            return List.of(graph);
        }
    }

    /// Graphs that run by a condition.
    record Conditional(Condition condition, Condition.Use use, List<Graph> bodies) implements Work {
        @Override
        public Runnable action() {
            return () -> use.run(condition, bodies);
        }

        @Override
        public List<Graph> graphs() {
            return bodies;
        }
    }

    /// An event, recorded or waited for.
    record OfEvent(Kind kind, long event, Runnable action) implements Work {}

    /// Words that are written and waited for.
    ///
    /// @param operations as a program gave them (`CUstreamBatchMemOpParams`)
    record OfWords(MemorySegment operations, Runnable action) implements Work {}

    /// Memory that a graph has while it runs, from here on or up to here.
    record OfMemory(Kind kind, Buffer memory, Runnable action) implements Work {}

    /// What nobody asks about again.
    record Plain(Kind kind, Runnable action) implements Work {}
}
