package dev.heddle.vm.state;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.shadow.UndefinedBits;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One activation of a function by lanes of a warp. Fields are public for generated code.
public final class Frame {
    /// The function.
    public final Code code;

    /// The warp.
    public final Warp warp;

    /// One mask of lanes a predicate register.
    public final int[] predicates;

    /// Word register r of lane l is at 32 r + l.
    public final int[] words;

    /// Long register r of lane l is at 32 r + l.
    public final long[] longs;

    /// The lanes that are before each block, ready to run it.
    public final int[] pending;

    /// All lanes in [#pending].
    public int pendingLanes;

    /// The smallest block with waiting lanes, or [Integer#MAX_VALUE].
    public int lowest = Integer.MAX_VALUE;
    // The lanes that have run each block; null where checks are off.
    private final int @Nullable [] visited;

    /// The lanes that have written each tracked register.
    public final int[] defined;

    /// Where the frame begins in local memory, the same for all lanes.
    public final long base;

    /// Shared memory.
    public final MemorySegment shared;

    /// What is known of shared memory, or null where nothing but its bounds is checked.
    public final @Nullable SharedShadow shadow;

    /// Global memory where nothing but its bounds is checked, else null.
    public @Nullable MemorySegment plainGlobal;

    /// The lanes that have not returned.
    public int lanes;

    /// The call it came from and who made it; null for the kernel.
    public final Exit.@Nullable Call call;

    public final @Nullable Frame caller;

    /// Where values are followed, once one was asked for: which bits of registers are undefined.
    public @Nullable UndefinedBits undefined;

    /// What the executor keeps with the frame.
    public @Nullable Object attachment;

    private @Nullable DynamicStack stack;

    public Frame(Code code, Warp warp, Exit.@Nullable Call call, @Nullable Frame caller) {
        this.code = code;
        this.warp = warp;
        this.call = call;
        this.caller = caller;
        base = caller == null ? 0 : caller.top();
        predicates = new int[code.predicates()];
        words = new int[32 * code.words()];
        longs = new long[32 * code.longs()];
        pending = new int[code.blocks().size()];
        shared = warp.cta().shared();
        shadow = warp.cta().shadow();
        visited = warp.checksLanes() ? new int[pending.length] : null;
        defined = new int[code.tracked()];
        serve();
    }

    /// Is of the launch that the CTA is of now.
    final void serve() {
        Grid grid = warp.cta().grid();
        plainGlobal = grid.checked() ? null : grid.global().segment();
    }

    /// Where values are followed, which bits of registers are undefined.
    public UndefinedBits undefinedBits() {
        if (undefined == null) {
            undefined = new UndefinedBits(code);
        }
        return undefined;
    }

    /// What of it depends on clocks.
    ClockDependence clocks() {
        return warp.cta().clocks(code);
    }

    /// What `alloca` has taken.
    public DynamicStack stack() {
        if (stack == null) {
            stack = new DynamicStack(this);
        }
        return stack;
    }

    /// Where the frames of functions called from here begin.
    public long top() {
        return stack == null ? base + code.frameBytes() : stack.top();
    }

    /// Gives back what `alloca` has taken.
    public void release() {
        if (stack != null) {
            stack.release();
            stack = null;
        }
    }

    /// The lanes that have run each block; null where checks are off.
    public int @Nullable [] visited() {
        if (attachment instanceof VisitLog log) {
            takeVisits(log);
        }
        return visited;
    }

    /// Lanes run a block.
    void visit(int block, int lanes) {
        if (visited != null) {
            visited[block] |= lanes;
        }
    }

    /// What was noted elsewhere is of this frame.
    public void takeVisits(VisitLog log) {
        if (visited != null) {
            log.drainTo(visited);
        }
    }

    /// Makes a kernel's frame ready for another CTA; registers are the executor's affair.
    public void restart(int mask) {
        java.util.Arrays.fill(pending, 0);
        java.util.Arrays.fill(defined, 0);
        int[] before = visited();
        if (before != null) {
            java.util.Arrays.fill(before, 0);
        }
        undefined = null;
        pendingLanes = 0;
        lowest = Integer.MAX_VALUE;
        lanes = mask;
        park(0, mask);
    }

    /// Sets all registers to zero.
    public void clear() {
        java.util.Arrays.fill(predicates, 0);
        java.util.Arrays.fill(words, 0);
        java.util.Arrays.fill(longs, 0);
    }

    /// Puts lanes before a block.
    public void park(int block, int mask) {
        if (mask == 0) {
            return;
        }
        pending[block] |= mask;
        pendingLanes |= mask;
        lowest = Math.min(lowest, block);
    }

    /// The smallest block with waiting lanes; there must be one.
    public int first() {
        return lowest;
    }

    /// The next block with waiting lanes after this one, in a circle.
    public int after(int block) {
        int next = block;
        do {
            next = next + 1 == pending.length ? 0 : next + 1;
        } while (pending[next] == 0);
        return next;
    }

    /// Takes the lanes that are before a block.
    public int take(int block) {
        int mask = pending[block];
        pending[block] = 0;
        pendingLanes &= ~mask;
        if (pendingLanes == 0) {
            lowest = Integer.MAX_VALUE;
        } else if (block == lowest) {
            lowest = after(block);
        }
        return mask;
    }

    /// The lanes of a mask where a guard holds.
    public int where(@Nullable Guard guard, int mask) {
        if (guard == null) {
            return mask;
        }
        int bits = predicates[guard.predicate().index()];
        return mask & (guard.negated() ? ~bits : bits);
    }

    /// The lanes in which a register has another value.
    ///
    /// @param value zero-extended
    public int lanesOtherThan(long value, Register register) {
        int at = 32 * register.index();
        int others = 0;
        switch (register.width()) {
            case PREDICATE -> others = predicates[register.index()] ^ (value == 0 ? 0 : -1);
            case WORD -> {
                for (int lane = 0; lane < 32; lane++) {
                    others |= words[at + lane] == (int) value ? 0 : 1 << lane;
                }
            }
            case LONG -> {
                for (int lane = 0; lane < 32; lane++) {
                    others |= longs[at + lane] == value ? 0 : 1 << lane;
                }
            }
        }
        return others;
    }

    /// A value's bits in one lane, zero-extended.
    public long value(Source source, int lane) {
        return switch (source) {
            case Source.Constant(_, long bits) -> bits;
            case Source.FrameAddress(long offset) -> base + offset;
            case Register register ->
                    switch (register.width()) {
                        case PREDICATE -> predicates[register.index()] >>> lane & 1;
                        case WORD -> words[32 * register.index() + lane] & 0xffff_ffffL;
                        case LONG -> longs[32 * register.index() + lane];
                    };
        };
    }

    /// A value's bits in all lanes, zero-extended.
    ///
    /// @param into 32 of them
    public void values(Source source, long[] into) {
        if (source instanceof Register register) {
            int at = 32 * register.index();
            switch (register.width()) {
                case PREDICATE -> {
                    int bits = predicates[register.index()];
                    for (int lane = 0; lane < 32; lane++) {
                        into[lane] = (bits & 1 << lane) != 0 ? 1 : 0;
                    }
                }
                case WORD -> {
                    for (int lane = 0; lane < 32; lane++) {
                        into[lane] = words[at + lane] & 0xffff_ffffL;
                    }
                }
                case LONG -> System.arraycopy(longs, at, into, 0, 32);
            }
        } else {
            Arrays.fill(into, value(source, 0));
        }
    }

    /// A predicate in all lanes.
    public int condition(Source source) {
        return source instanceof Register register
                ? predicates[register.index()]
                : value(source, 0) != 0 ? -1 : 0;
    }

    /// Sets a register in some lanes.
    ///
    /// @param mask which lanes
    /// @param from the bits of all 32 lanes
    public void setWhere(int mask, Register register, long[] from) {
        if (register.width() == Width.PREDICATE) {
            int bits = 0;
            for (int lane = 0; lane < 32; lane++) {
                bits |= (from[lane] != 0 ? 1 : 0) << lane;
            }
            int old = predicates[register.index()];
            predicates[register.index()] = bits & mask | old & ~mask;
        } else if (register.width() == Width.WORD && mask == -1) {
            int at = 32 * register.index();
            for (int lane = 0; lane < 32; lane++) {
                words[at + lane] = (int) from[lane];
            }
        } else {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                set(register, lane, from[lane]);
            }
        }
    }

    /// Sets a register to one value in some lanes.
    ///
    /// @param mask which lanes
    public void setWhere(int mask, Register register, long bits) {
        int at = 32 * register.index();
        if (register.width() == Width.PREDICATE) {
            int old = predicates[register.index()];
            predicates[register.index()] = bits != 0 ? old | mask : old & ~mask;
        } else if (register.width() == Width.WORD && mask == -1) {
            Arrays.fill(words, at, at + 32, (int) bits);
        } else {
            for (int rest = mask; rest != 0; rest &= rest - 1) {
                set(register, Integer.numberOfTrailingZeros(rest), bits);
            }
        }
    }

    /// Sets a register in one lane.
    public void set(Register register, int lane, long bits) {
        switch (register.width()) {
            case PREDICATE -> {
                int bit = 1 << lane;
                int old = predicates[register.index()];
                predicates[register.index()] = bits != 0 ? old | bit : old & ~bit;
            }
            case WORD -> words[32 * register.index() + lane] = (int) bits;
            case LONG -> longs[32 * register.index() + lane] = bits;
        }
    }
}
