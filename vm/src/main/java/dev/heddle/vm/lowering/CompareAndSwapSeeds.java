package dev.heddle.vm.lowering;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AtomicOperator;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.MemoryOrder;
import dev.heddle.vm.ir.OperationKind;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.Width;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes a plain load that only seeds a compare-and-swap loop a relaxed one, as it is meant:
///
/// ```
/// old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);
/// ```
///
/// The CUDA programming guide writes its `atomicAdd` of doubles so, and headers of CUDA do. By the
/// memory model a weak load races with the atomic operations of others. Here its value decides
/// nothing: it is stored where memory still holds it, and thrown away elsewhere. So it may be
/// anything that memory held, which is what a relaxed load gives.
///
/// The load has the address and the size of the compare-and-swap. Its value, and what is computed
/// from it, goes nowhere but to the operands of that, and to the comparison with what came back.
final class CompareAndSwapSeeds {
    /// Steps that are looked at behind one load.
    private static final int MOST_STEPS = 4_096;

    private final Code code;

    /// The only definition of a register, or null where it has others.
    private final Map<Register, Step.@Nullable Compute> definitions = new HashMap<>();

    /// Where the code compares and swaps.
    private final Set<Place> swapped = new HashSet<>();

    private CompareAndSwapSeeds(Code code) {
        this.code = code;
        for (Code.Parameter parameter : code.parameters()) {
            parameter.registers().forEach(register -> definitions.put(register, null));
        }
        for (Block block : code.blocks()) {
            for (Step step : block.steps()) {
                for (Register register : step.writes()) {
                    boolean only = !definitions.containsKey(register);
                    definitions.put(
                            register,
                            only && step instanceof Step.Compute compute && step.guard() == null
                                    ? compute
                                    : null);
                }
            }
            block.exit().writes().forEach(register -> definitions.put(register, null));
        }
        code.steps()
                .filter(CompareAndSwapSeeds::isSwap)
                .map(Step.Atomic.class::cast)
                .forEach(swap -> swapped.add(place(swap.base(), swap.offset())));
    }

    /// The code with such loads relaxed, or the code itself where there are none.
    static Code of(Code code) {
        boolean swaps = code.steps().anyMatch(CompareAndSwapSeeds::isSwap);
        return swaps ? new CompareAndSwapSeeds(code).relaxed() : code;
    }

    private static boolean isSwap(Step step) {
        return step instanceof Step.Atomic atomic
                && atomic.operator() == AtomicOperator.COMPARE_AND_SWAP
                && atomic.operands().size() == 1;
    }

    private Code relaxed() {
        boolean changed = false;
        List<Block> blocks = new ArrayList<>();
        for (Block block : code.blocks()) {
            List<Step> steps = new ArrayList<>(block.steps());
            for (int i = 0; i < steps.size(); i++) {
                if (steps.get(i) instanceof Step.Load load) {
                    Step.Atomic swap = new Uses(load).swapBehind(block.number(), i + 1);
                    if (swap != null) {
                        steps.set(i, relaxed(load, swap.access()));
                        changed = true;
                    }
                }
            }
            blocks.add(new Block(block.number(), steps, block.exit()));
        }
        return changed ? code.withBlocks(blocks, code.tracked()) : code;
    }

    private static Step.Load relaxed(Step.Load load, Access swap) {
        Access old = load.access();
        Access access =
                new Access(
                        old.space(), old.bytes(), old.signed(), MemoryOrder.RELAXED, swap.scope());
        return new Step.Load(
                load.site(), load.guard(), access, load.targets(), load.base(), load.offset());
    }

    /// A base, null for none, and a distance from it.
    private record Place(@Nullable Source base, long offset) {}

    /// An address through the copies and the constant distances that it is made of.
    private Place place(Source base, long offset) {
        Source at = base;
        long distance = offset;
        for (int hops = 0; hops < 16; hops++) {
            if (at instanceof Source.Constant constant) {
                return new Place(null, distance + constant.bits());
            }
            Step.Compute from = at instanceof Register register ? definitions.get(register) : null;
            if (from == null) {
                return new Place(at, distance);
            }
            List<Source> arguments = from.arguments();
            if (from.operation().isCopy()) {
                at = arguments.getFirst();
            } else if (from.operation().kind() == OperationKind.ADD
                    && arguments.getLast() instanceof Source.Constant more) {
                at = arguments.getFirst();
                distance += more.bits();
            } else {
                return new Place(at, distance);
            }
        }
        return new Place(at, distance);
    }

    /// Where the value of one load goes.
    private final class Uses {
        private final Step.Load load;
        private final Place place;
        private final Deque<Point> work = new ArrayDeque<>();
        private final Set<Point> seen = new HashSet<>();
        private final Set<Register> returned = new HashSet<>();
        private Step.@Nullable Atomic swap;
        private int steps;

        /// A register holds the value, or what was computed from it, from a step of a block on.
        ///
        /// @param copy whether it is the value itself
        private record Point(Register register, boolean copy, int block, int step) {}

        Uses(Step.Load load) {
            this.load = load;
            place = place(load.base(), load.offset());
        }

        /// The compare-and-swap that takes the value, where nothing else does.
        Step.@Nullable Atomic swapBehind(int block, int step) {
            Register target = load.targets().size() == 1 ? load.targets().getFirst() : null;
            if (load.access().isStrong() || target == null || !swapped.contains(place)) {
                return null;
            }
            follow(new Point(target, true, block, step));
            while (!work.isEmpty()) {
                if (!isAdmitted(work.remove())) {
                    return null;
                }
            }
            return swap;
        }

        private void follow(Point point) {
            if (seen.add(point)) {
                work.add(point);
            }
        }

        private boolean isAdmitted(Point point) {
            Register register = point.register();
            Block block = code.blocks().get(point.block());
            for (int i = point.step(); i < block.steps().size(); i++) {
                Step step = block.steps().get(i);
                if (++steps > MOST_STEPS) {
                    return false;
                }
                if (step.reads().contains(register) && !isAdmitted(step, point, i)) {
                    return false;
                }
                if (step.guard() == null && step.writes().contains(register)) {
                    return true;
                }
                if (place.base() != null && step.writes().contains(place.base())) {
                    return false; // from here on the same operand is another place
                }
            }
            if (block.exit().reads().contains(register)
                    || block.exit().readsOfSuppliers().contains(register)) {
                return false;
            }
            for (int next : block.exit().successors()) {
                follow(new Point(register, point.copy(), next, 0));
            }
            return true;
        }

        private boolean isAdmitted(Step step, Point point, int index) {
            Register register = point.register();
            if (step.guard() != null && step.guard().predicate().equals(register)) {
                return false;
            }
            return switch (step) {
                case Step.Compute compute -> {
                    boolean compared =
                            compute.target().width() == Width.PREDICATE
                                    && !Collections.disjoint(compute.arguments(), returned);
                    if (!compared) {
                        boolean copy =
                                point.copy() && register.equals(WrittenRegisters.copied(compute));
                        follow(new Point(compute.target(), copy, point.block(), index + 1));
                    }
                    yield true;
                }
                case Step.Atomic atomic -> isSwap(atomic) && takes(atomic, point);
                default -> false;
            };
        }

        /// Whether a compare-and-swap is that of the loop.
        private boolean takes(Step.Atomic atomic, Point point) {
            boolean compares = atomic.operands().getFirst().equals(point.register());
            if (atomic.base().equals(point.register())
                    || compares && !point.copy()
                    || atomic.access().bytes() != load.access().bytes()
                    || !place(atomic.base(), atomic.offset()).equals(place)) {
                return false;
            }
            if (compares) {
                swap = atomic;
                atomic.targets().stream().filter(t -> t != null).forEach(returned::add);
            }
            return true;
        }
    }
}
