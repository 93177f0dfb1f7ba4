package dev.heddle.vm.ir;

import dev.heddle.isa.Form;
import dev.heddle.isa.SharedMatrix.Major;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What several lanes do together.
public sealed interface Collective {
    /// Whether all lanes of a warp must come together: `.aligned`.
    boolean aligned();

    /// The registers it works on, but for those that are read of some lanes only.
    Effects effects();

    /// The values that are read of some lanes only; all others are read of all.
    default List<Supplied> supplied() {
        return List.of();
    }

    /// What a member mask may name the lanes of.
    sealed interface Masked extends Collective {
        /// Which lanes take part; null where it is those that come.
        @Nullable Source members();

        /// Whether both have the same qualifiers: lanes at one of them meet lanes at the other.
        boolean isAlike(Masked other);
    }

    /// What all lanes of a warp do with a matrix (PTX ISA 9.7.14).
    sealed interface MatrixInstruction extends Collective {
        @Override
        default boolean aligned() {
            return true;
        }
    }

    /// What the warps of a warpgroup do together (PTX ISA 9.7.15).
    sealed interface WarpgroupInstruction extends Collective {
        @Override
        default boolean aligned() {
            return true;
        }
    }

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
            @Nullable Source predicate)
            implements Collective {
        @Override
        public Effects effects() {
            return new Effects()
                    .writing(target)
                    .reading(barrier)
                    .reading(threads)
                    .reading(predicate);
        }

        /// What the arriving lanes want.
        public enum Arrival {
            SYNC,
            ARRIVE,
            POPULATION,
            AND,
            OR;

            /// Whether it is `barrier.red`.
            public boolean reduces() {
                return this != SYNC && this != ARRIVE;
            }
        }
    }

    /// `barrier.cluster` (PTX ISA 9.7.13.3).
    ///
    /// @param waits whether it is the wait, else the arrival
    /// @param aligned whether all lanes of the warp must come together
    record ClusterBarrier(boolean waits, boolean aligned) implements Collective {
        @Override
        public Effects effects() {
            return new Effects();
        }
    }

    /// `bar.warp.sync`.
    record WarpBarrier(Source members) implements Masked {
        @Override
        public boolean isAlike(Masked other) {
            return other instanceof WarpBarrier;
        }

        @Override
        public boolean aligned() {
            return false;
        }

        @Override
        public Effects effects() {
            return new Effects().reading(members);
        }
    }

    /// Any instruction that is one function of what the lanes of a warp have in their registers:
    /// `shfl`, `vote`, `match`, `redux`, `activemask`, `elect`, `movmatrix`.
    ///
    /// @param function its mnemonic without `.sync` and `.aligned`, by which executors know what it
    /// computes: `match.any.b32`
    /// @param targets in its order; null for a result that nobody wants
    /// @param sources in its order, but for the members
    /// @param members null for forms without a member mask
    /// @param aligned whether all lanes of the warp must come together
    record Exchange(
            String function,
            List<@Nullable Register> targets,
            List<Source> sources,
            @Nullable Source members,
            boolean aligned)
            implements Masked {
        public Exchange {
            targets = Collections.unmodifiableList(new ArrayList<>(targets));
            sources = List.copyOf(sources);
        }

        @Override
        public boolean isAlike(Masked other) {
            return other instanceof Exchange exchange && exchange.function.equals(function);
        }

        @Override
        public Effects effects() {
            return new Effects().writing(targets).reading(sources).reading(members);
        }
    }

    /// A product of matrices.
    sealed interface Product extends Collective {
        /// What it computes.
        Form form();
    }

    /// `mma.sync`, `mma.sp.sync`, and each product of `wmma.mma`: D = A * B + C on the
    /// registers of the warp.
    ///
    /// @param form of the product; `wmma.mma` is made of several
    /// @param metadata of a sparse A, or null
    /// @param scales those of A and of B; empty without block scaling
    record Multiply(
            Form form,
            List<Register> d,
            List<Source> a,
            List<Source> b,
            List<Source> c,
            @Nullable Metadata metadata,
            List<Scale> scales)
            implements MatrixInstruction, Product {
        public Multiply {
            d = List.copyOf(d);
            a = List.copyOf(a);
            b = List.copyOf(b);
            c = List.copyOf(c);
            scales = List.copyOf(scales);
        }

        @Override
        public Effects effects() {
            Effects effects = new Effects().writing(d).reading(a).reading(b).reading(c);
            scales.forEach(scale -> effects.reading(scale.byteId()).reading(scale.threadId()));
            return effects;
        }

        @Override
        public List<Supplied> supplied() {
            List<Supplied> all = new ArrayList<>();
            if (metadata != null) {
                all.add(metadata.word());
            }
            scales.forEach(scale -> all.add(scale.factors()));
            return all;
        }
    }

    /// `wgmma.mma_async`: D = A * B + D, by the four warps of a warpgroup, beside what they do
    /// next. D is in its registers once they have waited (PTX ISA 9.7.15).
    ///
    /// @param a the registers of A, or its descriptor
    /// @param b the descriptor of B
    /// @param metadata of a sparse A, or null
    /// @param scaleD a predicate: whether D takes part
    record MultiplyAsync(
            Form form,
            List<Register> d,
            Multiplicand a,
            Multiplicand.Described b,
            @Nullable Metadata metadata,
            Source scaleD)
            implements WarpgroupInstruction, Product {
        public MultiplyAsync {
            d = List.copyOf(d);
        }

        @Override
        public Effects effects() {
            return new Effects().writing(d).reading(scaleD).reading(a).reading(b);
        }

        /// The metadata; and D, which takes part only where `scale-d` says so.
        @Override
        public List<Supplied> supplied() {
            List<Supplied> all = new ArrayList<>();
            if (metadata != null) {
                all.add(metadata.word());
            }
            d.forEach(register -> all.add(Supplied.where(scaleD, register)));
            return all;
        }
    }

    /// A or B of `wgmma`.
    sealed interface Multiplicand {
        /// Whether it is taken times -1.
        boolean negated();

        /// In registers.
        record InRegisters(List<Source> registers, boolean negated) implements Multiplicand {
            public InRegisters {
                registers = List.copyOf(registers);
            }
        }

        /// In shared memory.
        ///
        /// @param descriptor of 64 bits, the same in all threads of the warpgroup
        record Described(Source descriptor, Major major, boolean negated) implements Multiplicand {}
    }

    /// `wgmma.fence`, `.commit_group` and `.wait_group`.
    ///
    /// @param pending groups that may still be under way after a wait
    record Warpgroup(Action action, int pending) implements WarpgroupInstruction {
        @Override
        public Effects effects() {
            return new Effects();
        }

        /// Which of the three.
        public enum Action {
            FENCE,
            COMMIT,
            WAIT
        }
    }

    /// `setmaxnreg` (PTX ISA 9.7.19.5): nothing to compute, but warps of a warpgroup must agree.
    ///
    /// @param count registers of a thread
    record SetRegisters(boolean increases, int count) implements WarpgroupInstruction {
        @Override
        public Effects effects() {
            return new Effects();
        }
    }

    /// A value that is read of some lanes only.
    ///
    /// @param lanes as a mask; 0 where that is known only once it runs
    /// @param guard of those lanes, which read it
    record Supplied(Source source, int lanes, @Nullable Guard guard) {
        /// What all these lanes read.
        public Supplied(Source source, int lanes) {
            this(source, lanes, null);
        }

        /// What lanes read where a predicate says so.
        static Supplied where(Source predicate, Source source) {
            return switch (predicate) {
                case Register register -> new Supplied(source, -1, new Guard(register, false));
                case Source.Constant(_, long bits) -> new Supplied(source, bits == 0 ? 0 : -1);
                default -> new Supplied(source, 0);
            };
        }
    }

    /// The metadata of a sparse A.
    ///
    /// @param word one a lane
    /// @param selector which lanes supply it
    record Metadata(Supplied word, int selector) {}

    /// The scale factors of A or of B.
    ///
    /// @param factors four bytes a lane
    /// @param byteId which bytes supply them
    /// @param threadId which lanes of a quad supply them
    record Scale(Supplied factors, Source byteId, Source threadId) {}

    /// All lanes name one tile of a matrix: `wmma.load` and `wmma.store`, whose lanes access what
    /// they hold of it behind.
    ///
    /// @param kind of access
    /// @param stride elements from one row (or column) to the next
    /// @param elementBits of an element
    /// @param alignment of rows, in bytes
    record NameTile(
            AccessKind kind,
            Space space,
            Source base,
            long offset,
            Source stride,
            int elementBits,
            int alignment)
            implements MatrixInstruction {
        @Override
        public Effects effects() {
            return new Effects().reading(base).reading(stride);
        }
    }

    /// A matrix between the registers of a warp and memory: `ldmatrix` and `stmatrix`.
    ///
    /// @param layout where the elements of the registers are
    /// @param targets of a load, else none
    /// @param values of a store, else none
    /// @param base of a row, in the lanes that name one
    record AccessMatrix(
            RowFragments layout,
            Space space,
            List<Register> targets,
            List<Source> values,
            Source base,
            long offset)
            implements MatrixInstruction {
        public AccessMatrix {
            targets = List.copyOf(targets);
            values = List.copyOf(values);
        }

        /// Whether it loads or stores.
        public AccessKind kind() {
            return values.isEmpty() ? AccessKind.LOAD : AccessKind.STORE;
        }

        /// How many registers a lane has of it.
        public int registers() {
            return targets.size() + values.size();
        }

        @Override
        public Effects effects() {
            return new Effects().writing(targets).reading(base).reading(values);
        }
    }
}
