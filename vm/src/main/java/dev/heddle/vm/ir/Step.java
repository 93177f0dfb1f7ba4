package dev.heddle.vm.ir;

import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the lanes of a warp do without waiting for one another.
public sealed interface Step {
    /// The instruction it came from.
    Site site();

    /// The predicate under which it runs, or null.
    @Nullable Guard guard();

    /// Steps that only leave values in registers.
    sealed interface Producer extends Step {}

    /// `target = operation(arguments)`, lane by lane.
    record Compute(
            Site site,
            @Nullable Guard guard,
            Operation operation,
            Register target,
            List<Source> arguments)
            implements Producer {
        public Compute {
            arguments = List.copyOf(arguments);
        }
    }

    /// Reads a predefined register.
    record ReadSpecial(Site site, @Nullable Guard guard, SpecialRegister special, Register target)
            implements Producer {}

    /// `targets = [base + offset]`, consecutive elements; a null target is a sink.
    record Load(
            Site site,
            @Nullable Guard guard,
            Access access,
            List<@Nullable Register> targets,
            Source base,
            long offset)
            implements Producer {}

    /// `[base + offset] = values`, consecutive elements.
    record Store(
            Site site,
            @Nullable Guard guard,
            Access access,
            List<Source> values,
            Source base,
            long offset)
            implements Step {
        public Store {
            values = List.copyOf(values);
        }
    }

    /// `atom` and `red`: reads, combines and writes, each element indivisibly; a value of 128 bits,
    /// which is two elements, as a whole. The old values go to `targets`.
    ///
    /// @param type of an element, as the operator reads its bits; `.b128` for both halves of one
    /// @param targets one for each element, null where nobody wants it; empty for `red`
    /// @param operands second operands of the operator; the comparands of a compare-and-swap
    /// @param replacements what a compare-and-swap stores, else empty
    record Atomic(
            Site site,
            @Nullable Guard guard,
            Access access,
            AtomicOperator operator,
            ScalarType type,
            List<@Nullable Register> targets,
            Source base,
            long offset,
            List<Source> operands,
            List<Source> replacements)
            implements Step {
        public Atomic {
            operands = List.copyOf(operands);
            replacements = List.copyOf(replacements);
        }
    }

    /// `cp.async`: copies `bytes` from global to shared memory; what lies beyond `sourceBytes` is
    /// zero-filled.
    record AsyncCopy(
            Site site,
            @Nullable Guard guard,
            Source destination,
            long destinationOffset,
            Source origin,
            long originOffset,
            int bytes,
            @Nullable Source sourceBytes,
            @Nullable Source ignore)
            implements Step {}

    /// `cp.async.commit_group`, `.wait_group`, `.wait_all`.
    ///
    /// @param pending groups that may still be under way after a wait
    record AsyncGroup(Site site, @Nullable Guard guard, Kind kind, int pending) implements Step {
        /// Which of the three.
        public enum Kind {
            COMMIT,
            WAIT
        }
    }

    /// Where an address operand points.
    record Place(Space space, Source base, long offset) {}

    /// `cp.async.bulk` and `cp.reduce.async.bulk` (PTX ISA 9.7.9.25.4), and
    /// `tensormap.cp_fenceproxy`, which copies a tensor map at once.
    ///
    /// @param operator of a reduction, or null for a copy
    /// @param type of an element of a reduction, or null
    /// @param bytes how many
    /// @param barrier that counts them, or null
    /// @param ctas of the cluster that get a copy each, as a mask; null for the one that is named
    record BulkCopy(
            Site site,
            @Nullable Guard guard,
            @Nullable AtomicOperator operator,
            @Nullable ScalarType type,
            Place target,
            Place origin,
            Source bytes,
            @Nullable Place barrier,
            @Nullable Source ctas)
            implements Step {}

    /// `cp.async.bulk.tensor` and `cp.reduce.async.bulk.tensor` (PTX ISA 9.7.9.25.5).
    ///
    /// @param loads whether it goes to shared memory, else from it
    /// @param operator of a reduction, or null for a copy
    /// @param map the tensor map
    /// @param coordinates of the box, the innermost first
    /// @param offsets of im2col mode; null in tile mode
    /// @param barrier that counts the bytes of a load, or null
    /// @param ctas of the cluster that get a copy each, as a mask; null for the one that is named
    record TensorCopy(
            Site site,
            @Nullable Guard guard,
            boolean loads,
            @Nullable AtomicOperator operator,
            Place map,
            List<Source> coordinates,
            @Nullable List<Source> offsets,
            Place shared,
            @Nullable Place barrier,
            @Nullable Source ctas)
            implements Step {
        public TensorCopy {
            coordinates = List.copyOf(coordinates);
        }
    }

    /// `st.bulk`: zeros.
    ///
    /// @param bytes how many
    record BulkStore(Site site, @Nullable Guard guard, Place target, Source bytes)
            implements Step {}

    /// `clusterlaunchcontrol.try_cancel` (PTX ISA 9.7.13.17): takes a cluster of the grid that has
    /// not begun, and says which.
    ///
    /// @param response where the answer goes, [#ANSWER_BYTES] long
    /// @param barrier that counts its bytes
    /// @param everywhere whether every CTA of the cluster gets it
    record CancelCluster(
            Site site, @Nullable Guard guard, Place response, Place barrier, boolean everywhere)
            implements Step {
        /// Bytes of an answer: x, y and z of the first CTA, and 1 if there is one.
        public static final int ANSWER_BYTES = 16;
    }

    /// `tex` and `tld4` (PTX ISA 9.7.10.3 and 9.7.10.4).
    ///
    /// @param targets null where nobody wants a value
    /// @param resident whether there was data, or null
    /// @param texture its handle, or the address of a variable that holds one
    /// @param coordinates the layer first, where there is one
    /// @param detail a level, or the derivatives along x and then along y; else empty
    /// @param offsets in texels; empty or one for each axis
    record SampleTexture(
            Site site,
            @Nullable Guard guard,
            Sampling sampling,
            List<@Nullable Register> targets,
            @Nullable Register resident,
            Source texture,
            List<Source> coordinates,
            List<Source> detail,
            List<Source> offsets)
            implements Step {
        public SampleTexture {
            coordinates = List.copyOf(coordinates);
            detail = List.copyOf(detail);
            offsets = List.copyOf(offsets);
        }

        /// How a texture is read.
        ///
        /// @param detail how its level is chosen
        /// @param gathered the channel of which four texels are wanted, or -1
        /// @param result the type of a value: `.f32`, `.u32`, `.s32`, `.f16` or `.f16x2`
        /// @param integers whether coordinates are integers
        public record Sampling(
                Geometry geometry,
                Detail detail,
                int gathered,
                ScalarType result,
                boolean integers) {
            /// How a level of detail is chosen.
            public enum Detail {
                BASE,
                LEVEL,
                GRADIENT
            }
        }
    }

    /// `suld`, `sust` and `sured` (PTX ISA 9.7.11).
    ///
    /// @param type of an element, as moved
    /// @param operator of a reduction, or null
    /// @param surface its handle, or the address of a variable that holds one
    /// @param coordinates the layer first, where there is one
    record AccessSurface(
            Site site,
            @Nullable Guard guard,
            Movement movement,
            Geometry geometry,
            Bounds bounds,
            ScalarType type,
            @Nullable AtomicOperator operator,
            List<@Nullable Register> targets,
            Source surface,
            List<Source> coordinates,
            List<Source> values)
            implements Step {
        public AccessSurface {
            coordinates = List.copyOf(coordinates);
            values = List.copyOf(values);
        }

        /// What is done.
        public enum Movement {
            LOAD,
            STORE,
            /// In the surface's format, the first coordinate a texel.
            STORE_FORMATTED,
            REDUCE,
            /// The first coordinate a texel.
            REDUCE_FORMATTED
        }

        /// What becomes of accesses outside.
        public enum Bounds {
            TRAP,
            CLAMP,
            ZERO
        }
    }

    /// `txq`, `suq` and `istypep`.
    ///
    /// @param query the manual's word: `width`, `texref`
    /// @param surface whether a surface is asked
    /// @param level of detail, or null
    record QueryTexture(
            Site site,
            @Nullable Guard guard,
            String query,
            boolean surface,
            Source texture,
            @Nullable Source level,
            Register target)
            implements Step {}

    /// `cp.async.bulk.commit_group` and `.wait_group`.
    ///
    /// @param pending groups that may still be under way after a wait
    /// @param readOnly whether it waits only until the sources have been read
    record BulkGroup(
            Site site, @Nullable Guard guard, AsyncGroup.Kind kind, int pending, boolean readOnly)
            implements Step {}

    /// `tensormap.replace` (PTX ISA 9.7.9.28).
    ///
    /// @param field by its name in the manual: `global_address`
    /// @param ordinal of an axis
    record ReplaceInTensorMap(
            Site site, @Nullable Guard guard, String field, Place map, int ordinal, Source value)
            implements Step {}

    /// `mbarrier` in all forms that do not suspend (PTX ISA 9.7.13.15).
    ///
    /// @param targets state or predicate results
    /// @param operands after the address
    record MemoryBarrierObject(
            Site site,
            @Nullable Guard guard,
            Action action,
            Space space,
            List<Register> targets,
            Source base,
            long offset,
            List<Source> operands)
            implements Step {
        public MemoryBarrierObject {
            targets = List.copyOf(targets);
            operands = List.copyOf(operands);
        }

        /// Which form.
        public enum Action {
            INITIALIZE,
            INVALIDATE,
            ARRIVE,
            ARRIVE_DROP,
            ARRIVE_NO_COMPLETE,
            ARRIVE_DROP_NO_COMPLETE,
            EXPECT_TRANSACTION,
            COMPLETE_TRANSACTION,
            ARRIVE_EXPECT_TRANSACTION,
            ARRIVE_DROP_EXPECT_TRANSACTION,
            TEST_WAIT,
            TEST_WAIT_PARITY,
            PENDING_COUNT,
            ASYNC_ARRIVE,
            ASYNC_ARRIVE_NO_INCREMENT
        }
    }

    /// `stacksave`, `stackrestore` and `alloca` (PTX ISA 9.7.17).
    ///
    /// @param target of the pointer; null for a restore
    /// @param value bytes to take, or the pointer to go back to; null for a save
    /// @param alignment of what is taken
    record Stack(
            Site site,
            @Nullable Guard guard,
            Request request,
            @Nullable Register target,
            @Nullable Source value,
            int alignment)
            implements Step {
        /// Which of the three.
        public enum Request {
            SAVE,
            RESTORE,
            ALLOCATE
        }
    }

    /// `activemask`: the lanes that take this step together.
    record ActiveMask(Site site, @Nullable Guard guard, Register target) implements Step {}

    /// `fence` and `membar` of threads: nothing to compute where memory is sequentially
    /// consistent, but it orders accesses for the search for races.
    record Fence(Site site, @Nullable Guard guard, MemoryOrder order, Scope scope)
            implements Step {}

    /// `fence.proxy.async`: nothing to compute, but it orders accesses through the generic proxy
    /// before those through the async proxy.
    record ProxyFence(Site site, @Nullable Guard guard) implements Step {}

    /// Prefetches, fences of other proxies, hints: nothing to compute.
    record Hint(Site site, @Nullable Guard guard) implements Step {}

    /// Bookkeeping of which lanes have written a register, only in a program's checked form and
    /// only for registers that some path may read before it writes them.
    sealed interface Definedness extends Step {}

    /// Lanes wrote the register behind this slot of the frame.
    record Define(Site site, @Nullable Guard guard, int slot) implements Definedness {}

    /// Lanes copied one register to another: what is behind `slot` is written where what is behind
    /// `from` is.
    record DefineAs(Site site, @Nullable Guard guard, int slot, int from) implements Definedness {}

    /// Lanes are about to use this register.
    ///
    /// @param users the lanes whose value counts, as a mask
    record RequireDefined(Site site, @Nullable Guard guard, Register register, int slot, int users)
            implements Definedness {}

    /// An instruction this machine does not run; an error only where a lane reaches it.
    record Unsupported(Site site, @Nullable Guard guard, String reason) implements Step {}
}
