package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.DefinednessStep;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Guard;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.RowFragments;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.ir.TextureStep;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.shadow.UndefinedBits;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Meeting;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/// Follows undefined values through a warp's registers, bit by bit, until one decides something: a
/// branch, an address, memory that others see, which lanes take part.
///
/// Copies, shuffles, arithmetic, selects, products and loads carry it on: compilers load ahead and
/// exchange what nobody uses. As Memcheck and MemorySanitizer do it.
public final class Definedness {
    private final Warp warp;
    private final UndefinedUses uses;
    private final CollectivePropagation collectives;
    private final ExchangePropagation exchanges;
    private final MemoryPropagation memory;
    private final LoadedValues loads = new LoadedValues();
    private List<@Nullable Register> loading = List.of();
    private int elementBytes;
    private boolean signed;
    private @Nullable LoadedRows rows;
    private @Nullable Step reading;

    Definedness(Warp warp) {
        this.warp = warp;
        uses = new UndefinedUses(warp, loads);
        collectives = new CollectivePropagation(uses);
        exchanges = new ExchangePropagation(uses);
        memory = new MemoryPropagation(uses);
    }

    /// What goes through shared memory.
    MemoryPropagation memory() {
        return memory;
    }

    // Steps.

    /// Before lanes take a step.
    ///
    /// @param mask those in the block, whether its guard holds or not
    void before(Frame frame, Step step, int mask) {
        if (step instanceof DefinednessStep) {
            return;
        }
        UndefinedBits bits = frame.undefinedBits();
        forget();
        Guard guard = step.guard();
        int lanes = frame.where(guard, mask);
        if (guard != null) {
            int unknown = bits.lanes(guard.predicate(), mask);
            if (unknown != 0 && step instanceof Step.Producer) {
                spoil(
                        bits,
                        step.writes(),
                        unknown,
                        uses.origin(frame, step.site(), guard.predicate(), unknown).computed());
            } else {
                uses.decide(frame, step.site(), guard.predicate(), mask, -1);
            }
            lanes &= ~unknown;
        }
        if (lanes == 0) {
            return;
        }
        if (step instanceof Step.Compute) {
            loads.use(bits, guard == null ? List.of() : List.of(guard.predicate()), lanes);
        } else {
            loads.use(bits, step.reads(), lanes);
        }
        switch (step) {
            case Step.Compute compute -> compute(frame, bits, compute, lanes);
            case Step.Load load -> load(frame, bits, load, lanes);
            case Step.Store store -> store(frame, store, lanes);
            default -> {
                decideAll(frame, bits, step, lanes);
                reading = MemoryPropagation.isOnlyTaken(step) ? step : null;
                if (step instanceof TextureStep) {
                    loads.begin(bits, step.site(), warp.clock(), step.writes(), lanes);
                }
            }
        }
    }

    /// Nothing is being loaded or stored.
    private void forget() {
        loading = List.of();
        rows = null;
        reading = null;
        memory.end();
    }

    private void decideAll(Frame frame, UndefinedBits bits, Step step, int lanes) {
        Guard guard = step.guard();
        for (Register register : step.reads()) {
            if (guard == null || !register.equals(guard.predicate())) {
                uses.decide(frame, step.site(), register, lanes, -1);
            }
        }
        step.writes().forEach(register -> bits.define(register, lanes));
    }

    private void load(Frame frame, UndefinedBits bits, Step.Load load, int lanes) {
        uses.decide(frame, load.site(), load.base(), lanes, -1);
        for (Register target : load.targets()) {
            if (target != null) {
                bits.define(target, lanes);
            }
        }
        if (load.access().space() != Space.LOCAL && load.access().space() != Space.PARAM) {
            loads.begin(bits, load.site(), warp.clock(), load.targets(), lanes);
        }
        loading = load.targets();
        elementBytes = load.access().bytes();
        signed = load.access().signed();
    }

    private void store(Frame frame, Step.Store store, int lanes) {
        uses.decide(frame, store.site(), store.base(), lanes, -1);
        memory.begin(frame, store);
        int seen =
                lanes
                        & ~lanesIn(Space.LOCAL, frame, store, lanes)
                        & ~lanesIn(Space.SHARED, frame, store, lanes);
        seen &= ~StructurePadding.lanes(frame.undefinedBits(), store, seen);
        long mask = store.access().bytes() == 8 ? -1 : (1L << 8 * store.access().bytes()) - 1;
        for (Source value : store.values()) {
            uses.decide(frame, store.site(), value, seen, mask);
        }
    }

    /// The lanes of a store whose addresses are in a space.
    private static int lanesIn(Space space, Frame frame, Step.Store store, int lanes) {
        if (store.access().space() != Space.GENERIC) {
            return store.access().space() == space ? lanes : 0;
        }
        int found = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long address = frame.value(store.base(), lane) + store.offset();
            found |= Addresses.spaceOf(address) == space ? 1 << lane : 0;
        }
        return found;
    }

    /// A load takes a byte that nobody wrote. Returns whether its value is followed; where not,
    /// the load is at fault.
    ///
    /// @param at the byte, from the first of the lane's access
    boolean takes(int lane, int at, Supplier<KernelFault> fault) {
        return takes(lane, at, 0xff, () -> new UndefinedBits.Origin(fault.get().finding()));
    }

    /// A load takes a byte with undefined bits.
    boolean takes(int lane, int at, int undefined, Supplier<UndefinedBits.Origin> origin) {
        Frame frame = warp.running();
        if (frame == null) {
            return false;
        }
        UndefinedBits bits = frame.undefinedBits();
        if (rows != null) {
            takesRow(bits, rows, lane, at, undefined, origin);
            return true;
        }
        if (reading != null) {
            // Its function alone knows which bits a byte goes to.
            reading.writes()
                    .forEach(
                            target ->
                                    mark(
                                            bits,
                                            target,
                                            lane,
                                            UndefinedBits.all(target.width()),
                                            origin));
            return true;
        }
        if (loading.isEmpty()) {
            return false;
        }
        Register target = loading.get(at / elementBytes);
        if (target != null) {
            int byteAt = at % elementBytes;
            boolean sign = signed && byteAt == elementBytes - 1;
            long part = sign ? (byte) undefined : undefined;
            mark(bits, target, lane, part << 8 * byteAt, origin);
        }
        return true;
    }

    /// What `ldmatrix` loads.
    private record LoadedRows(RowFragments dealt, List<Register> targets) {}

    /// A byte of a row of `ldmatrix`, which holds parts of one element or of several.
    private static void takesRow(
            UndefinedBits bits,
            LoadedRows rows,
            int row,
            int at,
            long undefined,
            Supplier<UndefinedBits.Origin> origin) {
        RowFragments dealt = rows.dealt();
        RowFragments.Element element = dealt.element();
        for (int register = 0; register < rows.targets().size(); register++) {
            for (int lane = 0; lane < 32; lane++) {
                for (int i = 0; i < element.perRegister(); i++) {
                    int ahead = 8 * at - dealt.column(register, lane, i) * element.bits();
                    if (dealt.row(register, lane, i) == row
                            && ahead > -8
                            && ahead < element.bits()) {
                        long of = ahead < 0 ? undefined >>> -ahead : undefined << ahead;
                        of &= (1L << element.bits()) - 1;
                        int shift = element.slotBits() * i + element.shift();
                        mark(bits, rows.targets().get(register), lane, of << shift, origin);
                    }
                }
            }
        }
    }

    private static void mark(
            UndefinedBits bits,
            Register target,
            int lane,
            long more,
            Supplier<UndefinedBits.Origin> origin) {
        if (bits.lanes(target, -1) == 0 || bits.origin(target) == null) {
            bits.comesFrom(target, origin.get());
        }
        bits.set(target, lane, bits.of(target, lane) | more);
    }

    // Values.

    private void compute(Frame frame, UndefinedBits bits, Step.Compute step, int lanes) {
        Register target = step.target();
        Register source = null;
        long[] results = new long[32];
        long[] carried = loads.carried(bits, step.arguments(), lanes);
        int zero =
                step.operation().dividesIntegers()
                        ? Divisions.byZero(frame, step.arguments().get(1), lanes)
                        : 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            results[lane] =
                    (zero >>> lane & 1) != 0
                            ? UndefinedBits.all(target.width())
                            : BitPropagation.result(step, frame, bits, lane);
            if (results[lane] != 0 && source == null) {
                source = firstUndefined(bits, step.arguments(), lane);
            }
        }
        if (source != null) {
            UndefinedBits.Origin origin =
                    uses.origin(frame, step.site(), source, bits.lanes(source, lanes));
            bits.comesFrom(
                    target, BitPropagation.isCopy(step.operation()) ? origin : origin.computed());
        } else if (zero != 0) {
            KernelFault fault = Divisions.fault(warp, step.site(), zero);
            bits.comesFrom(target, new UndefinedBits.Origin(fault.finding()));
        }
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                bits.set(target, lane, results[lane]);
                if (carried[lane] != 0) {
                    bits.comesFromLoad(target, lane, carried[lane]);
                }
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

    static void spoil(
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

    /// Lanes get a value in a register that nobody knows.
    public void spoil(Frame frame, Register target, int lanes, KernelFault fault) {
        UndefinedBits.Origin origin = new UndefinedBits.Origin(fault.finding());
        spoil(frame.undefinedBits(), List.of(target), lanes, origin);
    }

    // Exits.

    /// Before lanes leave a block. What lanes do together is followed once all are there.
    void before(Frame frame, Exit exit, int mask) {
        Site site = exit.site();
        forget();
        if (site == null) {
            return;
        }
        loads.use(frame.undefinedBits(), exit.reads(), mask);
        loads.use(frame.undefinedBits(), exit.readsOfSuppliers(), mask);
        Guard guard = exit.guard();
        if (guard != null) {
            uses.decide(frame, site, guard.predicate(), mask, -1);
        }
        if (exit instanceof Exit.Call || exit instanceof Exit.IndexedBranch) {
            int lanes = frame.where(guard, mask);
            for (Register register : exit.reads()) {
                uses.decide(frame, site, register, lanes, -1);
            }
            exit.writes().forEach(register -> frame.undefinedBits().define(register, lanes));
        }
    }

    /// Before lanes exchange something.
    public void exchange(Meeting meeting) {
        forget();
        exchanges.exchange(meeting);
    }

    /// Before lanes do together what they came for, exchanges apart.
    public void together(Frame frame, Exit.Synchronize exit, int lanes) {
        forget();
        collectives.together(frame, exit, lanes);
        if (exit.joint() instanceof Collective.AccessMatrix access) {
            if (access.kind() == AccessKind.STORE) {
                memory.begin(frame, exit.site(), access.values(), access.layout());
            } else {
                rows = new LoadedRows(access.layout(), access.targets());
                loads.begin(frame.undefinedBits(), exit.site(), warp.clock(), access.targets());
            }
        }
    }

    /// Where undefined predicates of a reduction at a barrier come from; null where all are
    // defined.
    public UndefinedBits.@Nullable Origin reduced(Frame frame, Exit.Synchronize exit, int lanes) {
        return collectives.reduced(frame, exit, lanes);
    }

    /// Where undefined bits of a register come from that are multiplied.
    UndefinedBits.Origin multiplied(Frame frame, Site site, Register register) {
        int lanes = frame.undefinedBits().lanes(register, -1);
        return uses.origin(frame, site, register, lanes).computed();
    }

    // Reads that race.

    /// A load of a lane races with what somebody does later. Returns whether its value was used:
    /// where not, its registers are undefined from now on.
    boolean isUsed(int site, int clock, int lane, Supplier<KernelFault> fault) {
        if (loads.isUsed(site, clock, lane)) {
            return true;
        }
        for (Frame frame : warp.frames()) {
            if (frame.undefined != null) {
                loads.spoil(frame.undefined, site, clock, lane, fault);
            }
        }
        return false;
    }
}
