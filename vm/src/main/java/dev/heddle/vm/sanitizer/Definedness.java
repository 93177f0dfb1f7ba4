package dev.heddle.vm.sanitizer;

import dev.heddle.vm.interpreter.WarpUnit;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Lanes;
import dev.heddle.vm.report.Verdict;
import dev.heddle.vm.scheduling.Frame;
import dev.heddle.vm.scheduling.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Follows undefined values through a warp's registers, bit by bit, until one decides something: a
/// branch, an address, memory that others see, which lanes take part.
///
/// Copies, shuffles, arithmetic, selects, products and loads carry it on: compilers load ahead and
/// exchange what nobody uses. As Memcheck and MemorySanitizer do it.
public final class Definedness {
    private static final int MOST_NOTES = 3;
    private static final String SUPPLIED = " (they supply the metadata under this selector)";

    private final Warp warp;
    private List<@Nullable Register> loading = List.of();
    private int elementBytes;
    private boolean signed;
    private Collective.@Nullable LoadMatrix rows;

    public Definedness(Warp warp) {
        this.warp = warp;
    }

    private static UndefinedBits of(Frame frame) {
        UndefinedBits bits = frame.undefined;
        if (bits == null) {
            bits = new UndefinedBits(frame.code);
            frame.undefined = bits;
        }
        return bits;
    }

    // Steps.

    /// Before lanes take a step.
    ///
    /// @param mask those in the block, whether its guard holds or not
    public void before(Frame frame, Step step, int mask) {
        UndefinedBits bits = of(frame);
        loading = List.of();
        rows = null;
        Guard guard = step.guard();
        int lanes = frame.where(guard, mask);
        if (guard != null) {
            int unknown = bits.lanes(guard.predicate(), mask);
            if (unknown != 0 && step instanceof Step.Producer) {
                spoil(
                        bits,
                        Effects.writes(step),
                        unknown,
                        origin(frame, step.site(), guard.predicate(), unknown));
            } else {
                decide(frame, step.site(), guard.predicate(), mask, -1);
            }
            lanes &= ~unknown;
        }
        if (lanes == 0) {
            return;
        }
        switch (step) {
            case Step.Compute compute -> compute(frame, bits, compute, lanes);
            case Step.Load load -> load(frame, bits, load, lanes);
            case Step.Store store -> store(frame, store, lanes);
            default -> decideAll(frame, bits, step, lanes);
        }
    }

    private void decideAll(Frame frame, UndefinedBits bits, Step step, int lanes) {
        Guard guard = step.guard();
        for (Register register : Effects.reads(step)) {
            if (guard == null || !register.equals(guard.predicate())) {
                decide(frame, step.site(), register, lanes, -1);
            }
        }
        Effects.writes(step).forEach(register -> bits.define(register, lanes));
    }

    private void load(Frame frame, UndefinedBits bits, Step.Load load, int lanes) {
        decide(frame, load.site(), load.base(), lanes, -1);
        for (Register target : load.targets()) {
            if (target != null) {
                bits.define(target, lanes);
            }
        }
        loading = load.targets();
        elementBytes = load.access().bytes();
        signed = load.access().signed();
    }

    private void store(Frame frame, Step.Store store, int lanes) {
        decide(frame, store.site(), store.base(), lanes, -1);
        if (isLocal(frame, store, lanes)) {
            return;
        }
        long mask = store.access().bytes() == 8 ? -1 : (1L << 8 * store.access().bytes()) - 1;
        for (Source value : store.values()) {
            decide(frame, store.site(), value, lanes, mask);
        }
    }

    private static boolean isLocal(Frame frame, Step.Store store, int lanes) {
        int first = Integer.numberOfTrailingZeros(lanes);
        long address = frame.value(store.base(), first) + store.offset();
        return store.access().space() == Space.LOCAL
                || store.access().space() == Space.GENERIC
                        && Addresses.spaceOf(address) == Space.LOCAL;
    }

    /// After a store to a lane's own memory: what it stored is as undefined there.
    public void after(Frame frame, Step step, int mask) {
        if (!(step instanceof Step.Store store)) {
            return;
        }
        UndefinedBits bits = of(frame);
        int lanes = frame.where(store.guard(), mask);
        if (lanes == 0 || !isLocal(frame, store, lanes)) {
            return;
        }
        long[] offsets = warp.memory().addresses().offsets();
        for (int i = 0; i < store.values().size(); i++) {
            for (int lane = 0; lane < 32; lane++) {
                long undefined = bits.of(store.values().get(i), lane);
                if ((lanes >>> lane & 1) == 0 || undefined == 0) {
                    continue;
                }
                for (int at = 0; at < store.access().bytes(); at++) {
                    if ((undefined >>> 8 * at & 0xff) != 0) {
                        int place = (int) offsets[lane] + i * store.access().bytes() + at;
                        warp.local().written()[place] = 0;
                    }
                }
            }
        }
    }

    /// A load takes a byte that nobody wrote. Returns whether its value is followed; where not,
    /// the load is at fault.
    ///
    /// @param at the byte, from the first of the lane's access
    public boolean takes(int lane, int at, Supplier<KernelFault> fault) {
        Frame frame = warp.running();
        if (frame == null) {
            return false;
        }
        UndefinedBits bits = of(frame);
        Collective.LoadMatrix matrix = rows;
        if (matrix != null) {
            takesRow(bits, matrix, lane, at, fault);
            return true;
        }
        if (loading.isEmpty()) {
            return false;
        }
        Register target = loading.get(at / elementBytes);
        if (target != null) {
            int byteAt = at % elementBytes;
            boolean sign = signed && byteAt == elementBytes - 1;
            mark(bits, target, lane, (sign ? -1L : 0xffL) << 8 * byteAt, fault);
        }
        return true;
    }

    /// A row of `ldmatrix`: its elements go to four lanes, or with `.trans` to half a register of
    /// eight.
    private static void takesRow(
            UndefinedBits bits,
            Collective.LoadMatrix matrix,
            int lane,
            int at,
            Supplier<KernelFault> fault) {
        Register target = matrix.targets().get(lane / 8);
        int row = lane % 8;
        int column = at / 2;
        int to = matrix.transposed() ? 4 * column + row / 2 : 4 * row + column / 2;
        int half = matrix.transposed() ? row % 2 : column % 2;
        mark(bits, target, to, 0xffL << 16 * half + 8 * (at % 2), fault);
    }

    private static void mark(
            UndefinedBits bits, Register target, int lane, long more, Supplier<KernelFault> fault) {
        if (bits.lanes(target, -1) == 0 || bits.origin(target) == null) {
            bits.comesFrom(target, new UndefinedBits.Origin(fault.get().finding()));
        }
        bits.set(target, lane, bits.of(target, lane) | more);
    }

    // Values.

    private void compute(Frame frame, UndefinedBits bits, Step.Compute step, int lanes) {
        Register target = step.target();
        Register source = null;
        long[] results = new long[32];
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            results[lane] = BitPropagation.result(step, frame, bits, lane);
            if (results[lane] != 0 && source == null) {
                source = firstUndefined(bits, step.arguments(), lane);
            }
        }
        if (source != null) {
            bits.comesFrom(target, origin(frame, step.site(), source, bits.lanes(source, lanes)));
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                bits.set(target, lane, results[lane]);
            }
        }
    }

    private static @Nullable Register firstUndefined(
            UndefinedBits bits, List<? extends Source> sources, int lane) {
        for (Source source : sources) {
            if (source instanceof Register register && bits.of(register, lane) != 0) {
                return register;
            }
        }
        return null;
    }

    private static void spoil(
            UndefinedBits bits, List<Register> targets, int lanes, UndefinedBits.Origin origin) {
        for (Register target : targets) {
            bits.comesFrom(target, origin);
            for (int lane = 0; lane < 32; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    bits.set(target, lane, UndefinedBits.all(target.width()));
                }
            }
        }
    }

    // Exits.

    /// Before lanes leave a block. What lanes do together is followed once all are there.
    public void before(Frame frame, Exit exit, int mask) {
        Site site = exit.site();
        loading = List.of();
        rows = null;
        if (site == null) {
            return;
        }
        Guard guard = Effects.guardOf(exit);
        if (guard != null) {
            decide(frame, site, guard.predicate(), mask, -1);
        }
        if (exit instanceof Exit.Call || exit instanceof Exit.IndexedBranch) {
            int lanes = frame.where(guard, mask);
            for (Register register : Effects.reads(exit)) {
                decide(frame, site, register, lanes, -1);
            }
            Effects.writes(exit).forEach(register -> of(frame).define(register, lanes));
        }
    }

    /// Before lanes do together what they came for.
    public void together(Frame frame, Exit.Synchronize exit, int lanes) {
        UndefinedBits bits = of(frame);
        Site site = exit.site();
        loading = List.of();
        rows = null;
        switch (exit.joint()) {
            case Collective.Shuffle shuffle -> shuffle(frame, bits, site, shuffle, lanes);
            case Collective.Vote vote -> merge(frame, bits, exit, vote.predicate(), lanes);
            case Collective.Match match -> merge(frame, bits, exit, match.value(), lanes);
            case Collective.Reduce reduce -> merge(frame, bits, exit, reduce.value(), lanes);
            case Collective.TransposeMatrix transpose ->
                    merge(frame, bits, exit, transpose.value(), lanes);
            case Collective.Multiply product -> multiply(frame, bits, site, product);
            case Collective.LoadMatrix load -> {
                decide(frame, site, load.base(), lanes, -1);
                load.targets().forEach(target -> bits.define(target, -1));
                rows = load;
            }
            default -> {
                for (Register register : Effects.reads(exit)) {
                    decide(frame, site, register, lanes, -1);
                }
                Effects.writes(exit).forEach(target -> bits.define(target, lanes));
            }
        }
    }

    private void shuffle(
            Frame frame, UndefinedBits bits, Site site, Collective.Shuffle shuffle, int lanes) {
        decide(frame, site, shuffle.lane(), lanes, 31);
        decide(frame, site, shuffle.clamp(), lanes, 0x1f1f);
        if (shuffle.members() != null) {
            decide(frame, site, shuffle.members(), lanes, -1);
        }
        long[] results = new long[32];
        long any = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                int from = WarpUnit.sourceLane(frame, shuffle, lane);
                results[lane] = bits.of(shuffle.value(), from >= 0 ? from : lane);
                any |= results[lane];
            }
        }
        if (any != 0 && shuffle.value() instanceof Register source) {
            bits.comesFrom(
                    shuffle.target(), origin(frame, site, source, bits.lanes(source, lanes)));
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                bits.set(shuffle.target(), lane, results[lane]);
            }
        }
        if (shuffle.inRange() != null) {
            bits.define(shuffle.inRange(), lanes);
        }
    }

    /// One value of all lanes goes into every result.
    private void merge(
            Frame frame, UndefinedBits bits, Exit.Synchronize exit, Source value, int lanes) {
        for (Register register : Effects.reads(exit)) {
            if (!register.equals(value)) {
                decide(frame, exit.site(), register, lanes, -1);
            }
        }
        int undefined = bits.lanes(value, lanes);
        List<Register> targets = Effects.writes(exit);
        if (undefined != 0 && value instanceof Register source) {
            spoil(bits, targets, lanes, origin(frame, exit.site(), source, undefined));
        } else {
            targets.forEach(target -> bits.define(target, lanes));
        }
    }

    private void multiply(Frame frame, UndefinedBits bits, Site site, Collective.Multiply product) {
        for (Collective.Supplied supplied : product.supplied()) {
            int lanes = bits.lanes(supplied.source(), supplied.lanes());
            if (lanes != 0 && supplied.source() instanceof Register register) {
                throw undefined(frame, site, register, lanes, SUPPLIED);
            }
        }
        List<Source> operands = new ArrayList<>(product.a());
        operands.addAll(product.b());
        operands.addAll(product.c());
        for (Source operand : operands) {
            int undefined = bits.lanes(operand, -1);
            if (undefined != 0 && operand instanceof Register source) {
                spoil(bits, product.d(), -1, origin(frame, site, source, undefined));
                return;
            }
        }
        product.d().forEach(target -> bits.define(target, -1));
    }

    // Findings.

    /// What is wrong with a register's value, as of this use of it.
    private UndefinedBits.Origin origin(Frame frame, Site site, Register register, int lanes) {
        UndefinedBits.Origin known = of(frame).origin(register);
        return known != null
                ? known
                : new UndefinedBits.Origin(neverWritten(frame, site, register, lanes, ""));
    }

    private void decide(Frame frame, Site site, @Nullable Source source, int lanes, long mask) {
        int undefined = of(frame).lanes(source, lanes, mask);
        if (undefined != 0 && source instanceof Register register) {
            throw undefined(frame, site, register, undefined, "");
        }
    }

    /// The fault of an undefined value that decides something.
    ///
    /// @param part why these lanes' values count, where it is not that they take part
    private KernelFault undefined(
            Frame frame, Site site, Register register, int undefined, String part) {
        UndefinedBits.Origin origin = of(frame).origin(register);
        if (origin == null) {
            return new KernelFault(neverWritten(frame, site, register, undefined, part));
        }
        Finding cause = origin.finding();
        List<Finding.Note> notes = new ArrayList<>();
        notes.add(
                new Finding.Note(
                        site,
                        "it matters here: %s of %s comes from it"
                                .formatted(name(register), Lanes.describe(undefined))));
        notes.addAll(cause.notes());
        return new KernelFault(
                new Finding(
                        cause.verdict(),
                        cause.rule(),
                        cause.section(),
                        cause.site(),
                        cause.message(),
                        cause.where(),
                        notes));
    }

    private static String name(Register register) {
        return switch (register.kind()) {
            case CARRY -> "the carry flag CC.CF";
            case TEMPORARY -> "a value";
            case DECLARED -> register.name();
        };
    }

    private Finding neverWritten(
            Frame frame, Site site, Register register, int lanes, String part) {
        String name = name(register);
        List<Finding.Note> notes = new ArrayList<>();
        Set<Site> writers = writers(frame, register);
        int wrote = warp.initial() & ~of(frame).lanes(register, -1);
        String who =
                writers.size() == 1 && wrote != 0
                        ? " is written here, by " + Lanes.describe(wrote) + " only"
                        : " is written here";
        for (Site writer : writers) {
            if (notes.size() < MOST_NOTES) {
                notes.add(new Finding.Note(writer, name + who));
            }
        }
        if (writers.isEmpty()) {
            notes.add(
                    new Finding.Note(null, "nothing in " + frame.code.name() + " writes " + name));
        }
        return new Finding(
                Verdict.UNDEFINED_BEHAVIOR,
                RegisterChecks.RULE,
                "5.1.1",
                site,
                "%s reads %s, which %s never wrote%s"
                        .formatted(site.mnemonic(), name, Lanes.describe(lanes), part),
                warp.faults().where(lanes),
                notes);
    }

    private static Set<Site> writers(Frame frame, Register register) {
        Set<Site> found = new LinkedHashSet<>();
        for (Block block : frame.code.blocks()) {
            for (Step step : block.steps()) {
                if (Effects.writes(step).contains(register)) {
                    found.add(step.site());
                }
            }
            Site site = block.exit().site();
            if (site != null && Effects.writes(block.exit()).contains(register)) {
                found.add(site);
            }
        }
        return found;
    }
}
