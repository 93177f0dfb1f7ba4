package dev.heddle.vm.ir;

import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a thread has the tensor memory accelerator do: `cp.async.bulk` in all forms, and what
/// belongs to it (PTX ISA 9.7.9.25.4 to 9.7.9.28).
public sealed interface BulkStep extends Step {
    /// `cp.async.bulk` and `cp.reduce.async.bulk` (PTX ISA 9.7.9.25.4).
    ///
    /// @param operator of a reduction, or null for a copy
    /// @param type of an element of a reduction, or null
    /// @param bytes how many
    /// @param barrier that counts them, or null
    /// @param ctas of the cluster that get a copy each, as a mask; null for the one that is named
    /// @param kept which bytes of each 16 are copied, as a mask (`.cp_mask`); null for all
    record Copy(
            Site site,
            @Nullable Guard guard,
            @Nullable AtomicOperator operator,
            @Nullable ScalarType type,
            Step.Place target,
            Step.Place origin,
            Source bytes,
            Step.@Nullable Place barrier,
            @Nullable Source ctas,
            @Nullable Source kept)
            implements BulkStep {
        @Override
        public Effects effects() {
            return new Effects()
                    .reading(target)
                    .reading(origin)
                    .reading(bytes)
                    .reading(barrier)
                    .reading(ctas)
                    .reading(kept);
        }
    }

    /// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` (PTX ISA 9.7.9.25.5).
    ///
    /// @param loads whether it goes to shared memory, else from it
    /// @param operator of a reduction, or null for a copy
    /// @param map the tensor map
    /// @param coordinates of the box, the innermost first
    /// @param mode how the box is dealt
    /// @param offsets of im2col mode; the halo and the offset of those along W; else none
    /// @param barrier that counts the bytes of a load, or null
    /// @param ctas of the cluster that get a copy each, as a mask; null for the one that is named
    record TensorCopy(
            Site site,
            @Nullable Guard guard,
            boolean loads,
            @Nullable AtomicOperator operator,
            Step.Place map,
            List<Source> coordinates,
            Mode mode,
            List<Source> offsets,
            Step.Place shared,
            Step.@Nullable Place barrier,
            @Nullable Source ctas)
            implements BulkStep {
        /// How the box of a tensor copy is dealt.
        public enum Mode {
            /// `.tile`: along the tensor's own axes.
            TILE,
            /// `.tile::gather4`, `.tile::scatter4`: four rows.
            ROWS,
            /// `.im2col`, `.im2col_no_offs`: pixels of a bounding box.
            COLUMNS,
            /// `.im2col::w`: pixels along W.
            WIDE,
            /// `.im2col::w::128`: 128 pixels along W.
            WIDE_128
        }

        public TensorCopy {
            coordinates = List.copyOf(coordinates);
            offsets = List.copyOf(offsets);
        }

        @Override
        public Effects effects() {
            return new Effects()
                    .reading(map)
                    .reading(shared)
                    .reading(coordinates)
                    .reading(offsets)
                    .reading(barrier)
                    .reading(ctas);
        }
    }

    /// `cp.async.bulk.prefetch.tensor`: nothing to compute, but its tensor map must be in memory
    /// that may have one.
    record PrefetchTensor(Site site, @Nullable Guard guard, Step.Place map) implements BulkStep {
        @Override
        public Effects effects() {
            return new Effects().reading(map);
        }
    }

    /// `cp.async.bulk.commit_group` and `.wait_group`.
    ///
    /// @param pending groups that may still be under way after a wait
    /// @param readOnly whether it waits only until the sources have been read
    record Group(
            Site site,
            @Nullable Guard guard,
            Step.AsyncGroup.Kind kind,
            int pending,
            boolean readOnly)
            implements BulkStep {
        @Override
        public Effects effects() {
            return new Effects();
        }
    }
}
