package dev.heddle.vm.report;

import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A thread that has a part in a finding about another: the other side of a race, who copies, who
/// wrote.
///
/// @param cta where the thread is, or null where that is the CTA of the finding
/// @param thread in its CTA, from 0
/// @param block threads of a CTA in each direction
/// @param site what it executed, or null where that is not known any more
public record Party(@Nullable Cta cta, int thread, Extent block, @Nullable Site site) {
    private static final int MOST = 4;

    /// A CTA by its place in the grid.
    ///
    /// @param x `%ctaid.x`
    /// @param y `%ctaid.y`
    /// @param z `%ctaid.z`
    public record Cta(int x, int y, int z) {
        /// Some CTA that is not known any more.
        private static final Cta ANOTHER = new Cta(-1, -1, -1);

        @Override
        public String toString() {
            return equals(ANOTHER) ? "another CTA" : "CTA (%d,%d,%d)".formatted(x, y, z);
        }
    }

    /// Some thread of another CTA.
    public static Party elsewhere(Extent block) {
        return new Party(Cta.ANOTHER, 0, block, null);
    }

    /// Whether it stands for an asynchronous operation, as threads behind those of the CTA do.
    private boolean isAside() {
        return thread >= Math.ceilDiv(block.count(), 32) * 32;
    }

    /// `thread (33,0,0)`, and its CTA where that is another.
    public String name() {
        if (Cta.ANOTHER.equals(cta)) {
            return "a thread of another CTA";
        }
        String who = isAside() ? "an asynchronous operation" : "thread " + place(thread, block);
        return who + (cta == null ? "" : " of " + cta);
    }

    /// A note of what the thread did: `written here by thread (33,0,0) (warp 1, lane 1)`. Atomic
    /// operations, asynchronous copies and what is done to mbarriers are called so.
    ///
    /// @param done `read`, `written`, `copied`
    public Finding.Note note(String done) {
        if (Cta.ANOTHER.equals(cta)) {
            return new Finding.Note(site, done + " by " + this + ", of which no more is known");
        }
        String by =
                site == null
                        ? " by "
                        : switch (site.kind()) {
                            case ATOMIC, REDUCE, ASYNC_REDUCE -> ", by an atomic operation of ";
                            case ASYNC_COPY -> ", by an asynchronous copy of ";
                            case MEMORY_BARRIER -> ", by %s of ".formatted(site.operation());
                            default -> " by ";
                        };
        return new Finding.Note(site, done + " here" + by + this);
    }

    /// The same, where the instruction tells what the thread did.
    public Finding.Note note() {
        Memory memory = site == null ? Memory.NONE : site.kind().memory();
        return note(
                switch (memory) {
                    case READS -> "read";
                    case WRITES -> "written";
                    case NONE, UPDATES, COPIES -> "accessed";
                });
    }

    @Override
    public String toString() {
        return Cta.ANOTHER.equals(cta) || isAside()
                ? name()
                : name() + " (warp %d, lane %d)".formatted(thread / 32, thread % 32);
    }

    /// Threads by their `%tid`: `thread (3,0,0)`, `threads (0,0,0) to (31,0,0)`.
    ///
    /// @param numbers of threads in their CTA, ascending
    static String threads(List<Integer> numbers, Extent block) {
        if (numbers.size() == 1) {
            return "thread " + place(numbers.getFirst(), block);
        }
        if (numbers.getLast() - numbers.getFirst() == numbers.size() - 1) {
            return "threads %s to %s"
                    .formatted(place(numbers.getFirst(), block), place(numbers.getLast(), block));
        }
        List<String> some =
                numbers.stream().limit(MOST).map(number -> place(number, block)).toList();
        int more = numbers.size() - some.size();
        return "threads " + String.join(", ", some) + (more > 0 ? " and " + more + " more" : "");
    }

    /// `(x,y,z)` of a thread.
    private static String place(int thread, Extent block) {
        return "(%d,%d,%d)"
                .formatted(
                        thread % block.x(),
                        thread / block.x() % block.y(),
                        thread / block.x() / block.y());
    }
}
