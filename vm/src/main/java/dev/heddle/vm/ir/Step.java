package dev.heddle.vm.ir;

import dev.heddle.ptx.ScalarType;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What the lanes of a warp do without waiting for one another.
public sealed interface Step
        permits Step.Producer,
                Step.Store,
                Step.Atomic,
                Step.AsyncCopy,
                Step.AsyncGroup,
                Step.AccessMemory,
                Step.MemoryBarrierObject,
                Step.Stack,
                Step.Bookkeeping,
                Step.Unsupported,
                BulkStep,
                TextureStep {
    /// The instruction it came from.
    Site site();

    /// The predicate under which it runs, or null.
    @Nullable Guard guard();

    /// The registers it works on, but for its guard.
    Effects effects();

    /// The registers that lanes read when they take it, its guard included.
    default List<Register> reads() {
        return effects().readsUnder(guard());
    }

    /// How lanes access memory in it, each for itself and through the generic proxy; null where
    /// they do not.
    default @Nullable Access access() {
        return null;
    }

    /// Whether lanes may take it again and again until others have done something.
    default boolean maySpin() {
        Access access = access();
        return access != null && access.isStrong();
    }

    /// The registers that it writes where its guard holds.
    default List<Register> writes() {
        return effects().writes();
    }

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

        @Override
        public Effects effects() {
            return new Effects().writing(target).reading(arguments);
        }
    }

    /// Reads a predefined register.
    record ReadSpecial(Site site, @Nullable Guard guard, SpecialRegister special, Register target)
            implements Producer {
        @Override
        public Effects effects() {
            return new Effects().writing(target);
        }
    }

    /// `targets = [base + offset]`, consecutive elements; a null target is a sink.
    record Load(
            Site site,
            @Nullable Guard guard,
            Access access,
            List<@Nullable Register> targets,
            Source base,
            long offset)
            implements Producer {
        @Override
        public Effects effects() {
            return new Effects().writing(targets).reading(base);
        }
    }

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

        @Override
        public Effects effects() {
            return new Effects().reading(base).reading(values);
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

        /// What an operand has in memory: of packed types two elements of the access.
        public int operandBytes() {
            return Math.min(type.bytes(), Long.BYTES);
        }

        @Override
        public Effects effects() {
            return new Effects()
                    .writing(targets)
                    .reading(base)
                    .reading(operands)
                    .reading(replacements);
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
            implements Step {
        @Override
        public Effects effects() {
            return new Effects()
                    .reading(destination)
                    .reading(origin)
                    .reading(sourceBytes)
                    .reading(ignore);
        }
    }

    /// `cp.async.commit_group`, `.wait_group`, `.wait_all`.
    ///
    /// @param pending groups that may still be under way after a wait
    record AsyncGroup(Site site, @Nullable Guard guard, Kind kind, int pending) implements Step {
        @Override
        public Effects effects() {
            return new Effects();
        }

        /// Which of the three.
        public enum Kind {
            COMMIT,
            WAIT
        }
    }

    /// Where an address operand points.
    record Place(Space space, Source base, long offset) {}

    /// Any instruction that accesses memory in a way of its own, and is one function of its
    /// addresses and other operands: `st.bulk`, `discard`, `tensormap.replace`; or that has such a
    /// thing done, and others wait for it: `clusterlaunchcontrol.try_cancel`.
    ///
    /// @param function its mnemonic, by which executors know what it does
    /// @param access how it touches the first of its places
    /// @param receivers whose shared memory its addresses mean
    /// @param targets what it writes, in order; null where nobody wants it
    /// @param places its addresses, in order
    /// @param operands the others, in order
    record AccessMemory(
            Site site,
            @Nullable Guard guard,
            String function,
            Access access,
            Receivers receivers,
            List<@Nullable Register> targets,
            List<Place> places,
            List<Source> operands)
            implements Step {
        /// CTAs that get what one instruction writes.
        public enum Receivers {
            OWN_CTA,
            CLUSTER
        }

        public AccessMemory {
            places = List.copyOf(places);
            operands = List.copyOf(operands);
        }

        @Override
        public Effects effects() {
            Effects effects = new Effects().writing(targets);
            places.forEach(effects::reading);
            return effects.reading(operands);
        }
    }

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

        @Override
        public boolean maySpin() {
            return true;
        }

        @Override
        public Effects effects() {
            return new Effects().writing(targets).reading(base).reading(operands);
        }

        /// Which form.
        public enum Action {
            INITIALIZE,
            INVALIDATE,
            ARRIVE(Part.ARRIVES),
            ARRIVE_DROP(Part.ARRIVES),
            ARRIVE_NO_COMPLETE(Part.ARRIVES),
            ARRIVE_DROP_NO_COMPLETE(Part.ARRIVES),
            EXPECT_TRANSACTION,
            COMPLETE_TRANSACTION(Part.COMPLETES),
            ARRIVE_EXPECT_TRANSACTION(Part.ARRIVES),
            ARRIVE_DROP_EXPECT_TRANSACTION(Part.ARRIVES),
            TEST_WAIT,
            TEST_WAIT_PARITY,
            PENDING_COUNT,
            ASYNC_ARRIVE(Part.COMPLETES),
            ASYNC_ARRIVE_NO_INCREMENT(Part.ARRIVES);

            private final Part part;

            Action() {
                this(Part.NONE);
            }

            Action(Part part) {
                this.part = part;
            }

            /// What it does for the phase.
            public Part part() {
                return part;
            }

            /// Whether it arrives once copies of `cp.async` are complete.
            public boolean handsCopies() {
                return this == ASYNC_ARRIVE || this == ASYNC_ARRIVE_NO_INCREMENT;
            }

            /// Whether it leaves the end of the phase to others.
            public boolean mustNotComplete() {
                return this == ARRIVE_NO_COMPLETE || this == ARRIVE_DROP_NO_COMPLETE;
            }
        }

        /// What brings a phase to its end.
        public enum Part {
            NONE,
            /// Takes one of the arrivals that are awaited.
            ARRIVES,
            /// Takes bytes that are awaited, or an arrival that it added itself.
            COMPLETES
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
        @Override
        public Effects effects() {
            return new Effects().writing(target).reading(value);
        }

        /// Which of the three.
        public enum Request {
            SAVE,
            RESTORE,
            ALLOCATE
        }
    }

    /// What does nothing that a program could see.
    sealed interface Bookkeeping extends Step
            permits Fence, ProxyFence, TensorMapFence, Hint, DefinednessStep {
        @Override
        default Effects effects() {
            return new Effects();
        }
    }

    /// `fence` and `membar` of threads: nothing to compute where memory is sequentially
    /// consistent, but it orders accesses for the search for races.
    record Fence(
            Site site,
            @Nullable Guard guard,
            MemoryOrder order,
            Scope scope,
            FenceRestriction restriction)
            implements Bookkeeping {}

    /// `fence.proxy.async`: nothing to compute, but it orders accesses through the generic proxy
    /// before those through the async proxy.
    ///
    /// @param space the only one that it is for, or null
    /// @param order how it also orders accesses of threads: where it is of one direction
    record ProxyFence(Site site, @Nullable Guard guard, @Nullable Space space, MemoryOrder order)
            implements Bookkeeping {}

    /// `fence.proxy.tensormap::generic`: nothing to compute, but it hands what was written of
    /// tensor maps over to the tensor copies that use them.
    ///
    /// @param map the one that is acquired, or null where all that was written is released
    /// @param scope of the threads that it hands over to, or takes over from
    record TensorMapFence(Site site, @Nullable Guard guard, @Nullable Place map, Scope scope)
            implements Bookkeeping {
        @Override
        public Effects effects() {
            return map == null ? new Effects() : new Effects().reading(map.base());
        }
    }

    /// Prefetches, fences of other proxies, hints: nothing to compute.
    record Hint(Site site, @Nullable Guard guard) implements Bookkeeping {}

    /// An instruction this machine does not run; an error only where a lane reaches it.
    record Unsupported(Site site, @Nullable Guard guard, String reason) implements Step {
        @Override
        public Effects effects() {
            return new Effects();
        }
    }
}
