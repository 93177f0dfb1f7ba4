package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.shadow.UndefinedBits;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Which of the values that a warp loaded anybody has looked at. A load whose value nobody uses
/// may race: compilers load a tile ahead of the last one, too.
///
/// Loads of one instruction at one clock of the warp are one here: one that is used counts for
/// all. The latest are known; of others every value counts as used.
final class LoadedValues {
    private static final int MOST = 1 << 14;

    /// Of `ldmatrix`, whose lanes give addresses for others.
    private static final long MATRIX = 1L << 63;

    private static final int CLOCK = 20;

    /// By load, the lanes whose values were used.
    private final Map<Long, Integer> used =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
                    return size() > MOST;
                }
            };

    private static long load(int site, int clock) {
        return (long) clock << CLOCK | site;
    }

    private boolean knows(Site site, int clock) {
        return clock > 0 && site.number() < Stamp.NO_SITE;
    }

    /// Lanes load registers.
    void begin(
            UndefinedBits bits, Site site, int clock, List<@Nullable Register> targets, int lanes) {
        if (knows(site, clock)) {
            begin(bits, load(site.number(), clock), targets, lanes);
        }
    }

    /// A warp loads the rows of matrices.
    void begin(UndefinedBits bits, Site site, int clock, List<Register> targets) {
        if (knows(site, clock)) {
            begin(bits, load(site.number(), clock) | MATRIX, targets, -1);
        }
    }

    private void begin(
            UndefinedBits bits, long load, List<? extends @Nullable Register> targets, int lanes) {
        used.putIfAbsent(load & ~MATRIX, 0);
        for (Register target : targets) {
            for (int rest = target == null ? 0 : lanes; rest != 0; rest &= rest - 1) {
                bits.comesFromLoad(target, Integer.numberOfTrailingZeros(rest), load);
            }
        }
    }

    /// Lanes read registers.
    void use(UndefinedBits bits, List<Register> registers, int lanes) {
        for (Register register : registers) {
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int lane = Integer.numberOfTrailingZeros(rest);
                long load = bits.load(register, lane);
                if (load != 0) {
                    use(load, lane);
                }
            }
        }
    }

    /// By lane, the load that a result comes from, or 0: what is computed from one load alone is no
    /// use of it yet.
    long[] carried(UndefinedBits bits, List<? extends Source> operands, int lanes) {
        long[] carried = new long[32];
        for (Source operand : operands) {
            if (operand instanceof Register register) {
                carry(bits, register, lanes, carried);
            }
        }
        return carried;
    }

    private void carry(UndefinedBits bits, Register register, int lanes, long[] carried) {
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long load = bits.load(register, lane);
            if (load != 0 && carried[lane] != 0 && carried[lane] != load) {
                use(carried[lane], lane);
            }
            carried[lane] = load == 0 ? carried[lane] : load;
        }
    }

    private void use(long load, int lane) {
        int users = (load & MATRIX) != 0 ? -1 : 1 << lane;
        used.computeIfPresent(load & ~MATRIX, (key, before) -> before | users);
    }

    /// What some load of an instruction found was told where it decided something: all of them
    /// count as used.
    void use(Site site) {
        for (Map.Entry<Long, Integer> load : used.entrySet()) {
            if ((load.getKey() & (1L << CLOCK) - 1) == site.number()) {
                load.setValue(-1);
            }
        }
    }

    boolean isUsed(int site, int clock, int lane) {
        Integer lanes = used.get(load(site, clock));
        return lanes == null || (lanes >>> lane & 1) != 0;
    }

    /// Makes undefined what comes from a load and was not used yet.
    void spoil(UndefinedBits bits, int site, int clock, int lane, Supplier<KernelFault> fault) {
        UndefinedBits.Origin origin = new UndefinedBits.Origin(fault.get().finding());
        bits.spoil(load(site, clock), 1 << lane, origin);
        bits.spoil(load(site, clock) | MATRIX, -1, origin);
    }
}
