package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What several lanes do together.
public sealed interface Collective {

    /// `bar`, `barrier`: `sync`, `arrive` and `red` (PTX ISA 9.7.13.1).
    ///
    /// @param barrier its number
    /// @param threads how many take part, or null for the whole CTA
    /// @param aligned whether all lanes of the warp must come together
    /// @param target of a reduction, or null
    /// @param predicate of a reduction, or null
    record Barrier(
            Arrival arrival,
            Source barrier,
            @Nullable Source threads,
            boolean aligned,
            @Nullable Register target,
            @Nullable Source predicate,
            boolean negated)
            implements Collective {
        /// What the arriving lanes want.
        public enum Arrival {
            SYNC,
            ARRIVE,
            POPULATION,
            AND,
            OR
        }
    }

    /// `bar.warp.sync`.
    record WarpBarrier(Source members) implements Collective {}

    /// `shfl.sync`.
    ///
    /// @param inRange whether the source lane was in range, or null
    /// @param members null for the deprecated form without `.sync`
    record Shuffle(
            Direction direction,
            Register target,
            @Nullable Register inRange,
            Source value,
            Source lane,
            Source clamp,
            @Nullable Source members)
            implements Collective {
        /// Where a lane reads from.
        public enum Direction {
            UP,
            DOWN,
            BUTTERFLY,
            INDEX
        }
    }

    /// `vote.sync`.
    record Vote(
            Question question,
            Register target,
            Source predicate,
            boolean negated,
            @Nullable Source members)
            implements Collective {
        /// What is asked.
        public enum Question {
            ALL,
            ANY,
            UNIFORM,
            BALLOT
        }
    }

    /// `match.sync`.
    record Match(
            boolean all,
            @Nullable Register target,
            @Nullable Register agreed,
            Source value,
            Source members)
            implements Collective {}

    /// `redux.sync`.
    ///
    /// @param operation a binary semantic method
    record Reduce(Operation operation, Register target, Source value, Source members)
            implements Collective {}

    /// `elect.sync`.
    record Elect(@Nullable Register leader, Register elected, Source members)
            implements Collective {}

    /// `mma.sync`, `mma.sp.sync`, and each product of `wmma.mma`: D = A * B + C on the
    /// registers of the warp.
    ///
    /// @param opcode of the product; `wmma.mma` is made of several
    /// @param metadata of a sparse A, or null
    /// @param selector which lanes supply it
    /// @param scales scale registers and their selectors, in operand order; empty without block
    /// scaling
    record Multiply(
            String opcode,
            List<Register> d,
            List<Source> a,
            List<Source> b,
            List<Source> c,
            @Nullable Source metadata,
            int selector,
            List<Source> scales)
            implements Collective {
        public Multiply {
            d = List.copyOf(d);
            a = List.copyOf(a);
            b = List.copyOf(b);
            c = List.copyOf(c);
            scales = List.copyOf(scales);
        }
    }

    /// `ldmatrix`: 8x8 tiles of 16-bit elements, rows at the addresses of lanes 0 to 8 * tiles -
    /// 1.
    record LoadMatrix(
            Space space, boolean transposed, List<Register> targets, Source base, long offset)
            implements Collective {
        public LoadMatrix {
            targets = List.copyOf(targets);
        }
    }

    /// `stmatrix`.
    record StoreMatrix(
            Space space, boolean transposed, List<Source> values, Source base, long offset)
            implements Collective {
        public StoreMatrix {
            values = List.copyOf(values);
        }
    }

    /// `movmatrix.trans`.
    record TransposeMatrix(Register target, Source value) implements Collective {}

    /// `wmma.load`: a matrix into fragments, from one address.
    ///
    /// @param stride in elements, or null for the tile's own
    record LoadTile(
            Space space,
            List<Register> targets,
            Source base,
            long offset,
            @Nullable Source stride,
            Tile tile)
            implements Collective {
        public LoadTile {
            targets = List.copyOf(targets);
        }
    }

    /// `wmma.store`: the reverse.
    record StoreTile(
            Space space,
            List<Source> values,
            Source base,
            long offset,
            @Nullable Source stride,
            Tile tile)
            implements Collective {
        public StoreTile {
            values = List.copyOf(values);
        }
    }
}
