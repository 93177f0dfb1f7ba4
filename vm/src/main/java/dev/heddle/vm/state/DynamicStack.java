package dev.heddle.vm.state;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;

import java.util.ArrayList;
import java.util.List;

/// The local memory that `alloca` takes in one frame (PTX ISA 9.7.17), lane by lane, behind the
/// frame's own.
///
/// The stack pointer is the address of what was taken last, as in the manual, where the stack grows
/// down; here it grows up, and the pointer alone does not say where the memory ends. So each lane
/// keeps what it has taken.
public final class DynamicStack {
    /// The least alignment of what is taken.
    private static final int ALIGNMENT = 16;

    private final Frame frame;
    private final long start;
    private final List<List<Piece>> pieces = new ArrayList<>();
    private long reserved;

    /// Memory that one `alloca` took.
    private record Piece(long address, long end) {}

    public DynamicStack(Frame frame) {
        this.frame = frame;
        start = frame.base + frame.code.frameBytes();
        for (int lane = 0; lane < 32; lane++) {
            pieces.add(new ArrayList<>());
        }
    }

    public void apply(Step.Stack step, int lanes) {
        frame.warp.changed();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            Source value = step.value();
            long operand = value == null ? 0 : frame.value(value, lane);
            switch (step.request()) {
                case SAVE -> {}
                case RESTORE -> restore(step.site(), lane, operand);
                case ALLOCATE -> allocate(step.site(), lane, operand, step.alignment());
            }
            if (step.target() != null) {
                frame.set(step.target(), lane, pointer(lane));
            }
        }
    }

    private long pointer(int lane) {
        return pieces.get(lane).isEmpty() ? start : pieces.get(lane).getLast().address();
    }

    private long end(int lane) {
        return pieces.get(lane).isEmpty() ? start : pieces.get(lane).getLast().end();
    }

    /// Where no lane has taken anything.
    public long top() {
        long top = start;
        for (int lane = 0; lane < 32; lane++) {
            top = Math.max(top, end(lane));
        }
        return top + ALIGNMENT - 1 & -ALIGNMENT;
    }

    private void allocate(Site site, int lane, long bytes, int alignment) {
        long unit = Math.max(alignment, ALIGNMENT);
        // Every piece has an address of its own, which is not that of an empty stack.
        long from = pieces.get(lane).isEmpty() ? start + 1 : end(lane);
        long address = from + unit - 1 & -unit;
        long end = address + Math.max(bytes, 1);
        Warp warp = frame.warp;
        int limit = warp.cta().grid().localLimit();
        if (bytes < 0 || end < 0 || end > limit) {
            throw exhausted(
                    site,
                    lane,
                    "alloca of %s bytes at local address 0x%x: the limit is %d bytes of local memory per thread"
                            .formatted(Long.toUnsignedString(bytes), address, limit));
        }
        long more = end - start - reserved;
        if (more > 0) {
            // Local memory grows by doubling.
            if (!warp.cta().limits().takeMemory(128 * more)) {
                throw exhausted(
                        site,
                        lane,
                        "alloca of %d bytes needs more than the memory limit of %d bytes leaves"
                                .formatted(bytes, warp.cta().limits().memoryBytes()));
            }
            reserved += more;
        }
        warp.reserveLocal(end);
        warp.local().forget(1 << lane, address, (int) (end - address));
        pieces.get(lane).add(new Piece(address, end));
    }

    private RuntimeException exhausted(Site site, int lane, String message) {
        return frame.warp.faults().fault(Rule.MEMORY_LIMIT_REACHED, site, 1 << lane, message);
    }

    private void restore(Site site, int lane, long pointer) {
        List<Piece> taken = pieces.get(lane);
        while (!taken.isEmpty() && taken.getLast().address() != pointer) {
            Piece freed = taken.removeLast();
            int bytes = (int) (freed.end() - freed.address());
            frame.warp.local().forget(1 << lane, freed.address(), bytes);
        }
        if (taken.isEmpty() && pointer != start) {
            throw frame.warp
                    .faults()
                    .undefined(
                            Rule.STACKRESTORE_OF_UNSAVED_POINTER,
                            site,
                            1 << lane,
                            "stackrestore of 0x%x, which no stacksave of this call gave or which was freed since"
                                    .formatted(pointer));
        }
    }

    /// Gives the memory back to the launch.
    public void release() {
        frame.warp.cta().limits().giveMemory(128 * reserved);
        reserved = 0;
    }
}
