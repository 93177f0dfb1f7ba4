package dev.heddle.vm.shadow;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Width;
import dev.heddle.vm.report.Finding;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The bits of a frame's registers that nothing defines, lane by lane; where they came from, for
/// each register as a whole. At first only parameters are defined.
public final class UndefinedBits {
    private final int words;
    private final int longs;
    private final long[] bits;
    private final @Nullable Origin[] origins;

    /// Where an undefined value came from.
    ///
    /// @param finding what is wrong with it
    /// @param isCopy whether it is, bit by bit, what was found there, and nothing computed from it
    public record Origin(Finding finding, boolean isCopy) {
        public Origin(Finding finding) {
            this(finding, true);
        }

        /// That of what is computed from the value.
        public Origin computed() {
            return isCopy ? new Origin(finding, false) : this;
        }

        /// Whether it is a copy of what nobody wrote.
        public boolean isUnwritten() {
            return isCopy
                    && (finding.rule() == Rule.UNINITIALIZED_READ
                            || finding.rule() == Rule.UNINITIALIZED_REGISTER);
        }
    }

    // By register and lane, the load that it comes from untouched, or 0.
    private long[] loads = {};

    /// Those of a new frame of this code.
    public UndefinedBits(Code code) {
        words = code.words();
        longs = code.longs();
        int registers = words + longs + code.predicates();
        bits = new long[32 * registers];
        Arrays.fill(bits, -1);
        origins = new Origin[registers];
        for (Code.Parameter parameter : code.parameters()) {
            for (Register register : parameter.registers()) {
                Arrays.fill(bits, 32 * number(register), 32 * number(register) + 32, 0);
            }
        }
    }

    private int number(Register register) {
        return switch (register.width()) {
            case WORD -> register.index();
            case LONG -> words + register.index();
            case PREDICATE -> words + longs + register.index();
        };
    }

    /// All bits of a width.
    public static long all(Width width) {
        return switch (width) {
            case PREDICATE -> 1;
            case WORD -> 0xffff_ffffL;
            case LONG -> -1;
        };
    }

    /// The bits that may differ among the numbers from one to another, both included.
    public static long between(long one, long other) {
        long differing = one ^ other;
        return differing == 0 ? 0 : (Long.highestOneBit(differing) << 1) - 1;
    }

    /// The undefined bits of a value.
    public long of(@Nullable Source source, int lane) {
        return source instanceof Register register
                ? bits[32 * number(register) + lane] & all(register.width())
                : 0;
    }

    /// The lanes, of these, where some bits of a value are undefined, of those in a mask.
    public int lanes(@Nullable Source source, int lanes, long mask) {
        int found = 0;
        if (source instanceof Register) {
            for (int lane = 0; lane < 32; lane++) {
                boolean undefined = (lanes >>> lane & 1) != 0 && (of(source, lane) & mask) != 0;
                found |= undefined ? 1 << lane : 0;
            }
        }
        return found;
    }

    public int lanes(@Nullable Source source, int lanes) {
        return lanes(source, lanes, -1);
    }

    public void set(Register register, int lane, long undefined) {
        bits[32 * number(register) + lane] = undefined;
        if (loads.length > 0) {
            loads[32 * number(register) + lane] = 0;
        }
    }

    // Values as they were loaded.

    /// The load that a register of a lane has its value from, or 0.
    public long load(Register register, int lane) {
        return loads.length > 0 ? loads[32 * number(register) + lane] : 0;
    }

    public void comesFromLoad(Register register, int lane, long load) {
        if (loads.length == 0) {
            loads = new long[bits.length];
        }
        loads[32 * number(register) + lane] = load;
    }

    /// Makes all registers undefined that come from a load.
    ///
    /// @param lanes of which
    public void spoil(long load, int lanes, Origin origin) {
        for (int i = 0; i < loads.length; i++) {
            if (loads[i] == load && (lanes >>> i % 32 & 1) != 0) {
                bits[i] = -1;
                loads[i] = 0;
                origins[i / 32] = origin;
            }
        }
    }

    public void define(Register register, int lanes) {
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                set(register, lane, 0);
            }
        }
    }

    public @Nullable Origin origin(Register register) {
        return origins[number(register)];
    }

    public void comesFrom(Register register, @Nullable Origin origin) {
        origins[number(register)] = origin;
    }
}
