package dev.heddle.vm.sanitizer;

import static dev.heddle.formats.Counted.bytes;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.Demangler;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.ir.SharedGap;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.state.FindingFactory;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

import java.util.Comparator;
import java.util.List;

/// Says what is wrong with an access that is outside of all memory, or misaligned.
record AccessFaults(Warp warp, SymbolNames names) {
    /// The fault of the first lane whose access is outside the segment or misaligned.
    KernelFault outside(
            Site site,
            Space space,
            long[] offsets,
            long lastOffset,
            int bytes,
            int lanes,
            AccessKind kind) {
        int unit = Integer.highestOneBit(bytes);
        int outside = 0;
        int misaligned = 0;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                boolean out = offsets[lane] < 0 || offsets[lane] > lastOffset;
                outside |= out ? 1 << lane : 0;
                misaligned |= !out && offsets[lane] % unit != 0 ? 1 << lane : 0;
            }
        }
        if (outside != 0) {
            int lane = Integer.numberOfTrailingZeros(outside);
            return outOfBounds(site, space, offsets[lane], bytes, outside, kind);
        }
        int lane = Integer.numberOfTrailingZeros(misaligned == 0 ? lanes : misaligned);
        return warp.faults()
                .undefined(
                        Rule.MISALIGNED_ACCESS,
                        site,
                        misaligned,
                        "%s %s address 0x%x%s, which is not a multiple of %d"
                                .formatted(
                                        words(site, kind, bytes),
                                        space.word(),
                                        inSpace(space, lane, offsets[lane]),
                                        names.inVariable(
                                                space, inSpace(space, lane, offsets[lane]), bytes),
                                        unit));
    }

    /// What an instruction does, before an address: `load of 4 bytes at`, `asynchronous copy of 16
    /// bytes to`, `mbarrier.arrive at`.
    static String words(Site site, AccessKind kind, long bytes) {
        return switch (site.kind()) {
            case ASYNC_COPY, BULK_COPY, TENSOR_COPY -> moving("copy", kind, bytes);
            case BULK_REDUCE -> moving("reduction", kind, bytes);
            case MEMORY_BARRIER -> site.operation() + " at";
            case CALL -> "read of %s at".formatted(bytes(bytes));
            default -> "%s of %s at".formatted(kind, bytes(bytes));
        };
    }

    private static String moving(String what, AccessKind kind, long bytes) {
        String way = kind == AccessKind.LOAD ? "from" : "to";
        return "asynchronous %s of %s %s".formatted(what, bytes(bytes), way);
    }

    KernelFault outOfBounds(
            Site site, Space space, long offset, int bytes, int lanes, AccessKind kind) {
        long address = inSpace(space, Integer.numberOfTrailingZeros(lanes), offset);
        String what =
                "%s %s address 0x%x".formatted(words(site, kind, bytes), space.word(), address);
        if (space == Space.GLOBAL) {
            Buffer freed = warp.cta().grid().global().freedAt(address);
            if (freed != null) {
                return warp.faults()
                        .undefined(
                                Rule.USE_AFTER_FREE,
                                site,
                                lanes,
                                "%s, in memory that was freed: %s at 0x%x"
                                        .formatted(what, bytes(freed.bytes()), freed.address()));
            }
        }
        return warp.faults()
                .undefined(
                        Rule.OUT_OF_BOUNDS,
                        site,
                        lanes,
                        what + place(space, address, bytes),
                        cause(site, space, address, Integer.numberOfTrailingZeros(lanes)));
    }

    /// The fault of a lane that writes to constant memory, by an address of global memory or a
    /// generic one.
    KernelFault constant(Site site, long address, int bytes, int lanes, AccessKind kind) {
        Rule rule =
                kind == AccessKind.ATOMIC
                        ? Rule.ATOMIC_OUTSIDE_GLOBAL_OR_SHARED
                        : Rule.STORE_TO_CONSTANT_MEMORY;
        return warp.faults()
                .undefined(
                        rule,
                        site,
                        lanes,
                        "%s address 0x%x%s, which is in constant memory"
                                .formatted(
                                        words(site, kind, bytes),
                                        address,
                                        names.inVariable(Space.GLOBAL, address, bytes)));
    }

    /// The fault of lanes whose `st.async` or `red.async` goes where it may not.
    KernelFault aside(Site site, int lanes, String why) {
        return warp.faults()
                .undefined(
                        Rule.ASYNC_STORE_MISPLACED,
                        site.section(),
                        site,
                        lanes,
                        "%s: %s".formatted(site.mnemonic(), why));
    }

    /// What is behind an access out of bounds, where that can be told.
    private Finding.Note[] cause(Site site, Space space, long address, int lane) {
        return switch (space) {
            case SHARED -> dynamicSharedMissing();
            case GLOBAL ->
                    isNull(address)
                            ? NullPointers.behind(warp, site, lane).stream()
                                    .toArray(Finding.Note[]::new)
                            : new Finding.Note[0];
            case CLUSTER, CONST, GENERIC, LOCAL, PARAM -> new Finding.Note[0];
        };
    }

    private static boolean isNull(long address) {
        return address >= 0 && address < NullPointers.END;
    }

    /// A note where the code has dynamic shared memory and the launch gives none.
    private Finding.Note[] dynamicSharedMissing() {
        Frame frame = warp.running();
        if (frame == null || warp.cta().grid().shared().dynamicBytes() != 0) {
            return new Finding.Note[0];
        }
        return frame.code.variables().stream()
                .filter(one -> one.space() == Space.SHARED && one.bytes() == 0)
                .limit(1)
                .map(
                        one ->
                                new Finding.Note(
                                        null,
                                        ("the size of .extern .shared %s is the launch's to say,"
                                             + " and it says 0: --shared BYTES, \"shared\" in a"
                                             + " launch file, or Launch.withDynamicShared in Java")
                                                .formatted(Demangler.variableOf(one.name()))))
                .toArray(Finding.Note[]::new);
    }

    /// Where an address lies that is in nothing the kernel owns.
    private String place(Space space, long address, int bytes) {
        return switch (space) {
            case CONST -> constantPlace(address, bytes);
            case GLOBAL -> {
                if (isNull(address)) {
                    yield ", in no buffer: a null pointer, or an offset from one";
                }
                Space window = Addresses.spaceOf(address);
                if (window != Space.GLOBAL && window != Space.GENERIC) {
                    yield ", in no buffer: a generic address of %s memory".formatted(window.word());
                }
                if (Addresses.isOfHost(address)) {
                    yield ", in no buffer, but where a program of the host has heap and stack";
                }
                Buffer nearest = warp.cta().grid().global().nearest(address);
                yield nearest == null
                        ? ", in no buffer"
                        : distance("buffer", nearest, address, bytes)
                                + wrapped(nearest, address, bytes);
            }
            case SHARED ->
                    beforeStart(address)
                            + ", outside the %s of shared memory that the CTA has (%d of them dynamic)"
                                    .formatted(
                                            bytes(warp.cta().grid().shared().bytes()),
                                            warp.cta().grid().shared().dynamicBytes());
            case CLUSTER -> clusterPlace(address);
            case LOCAL -> ", outside the thread's local memory";
            case PARAM, GENERIC -> ", which belongs to no state space";
        };
    }

    /// The same for shared memory of the cluster. An address has the rank in it where there is no
    /// CTA of that rank.
    private String clusterPlace(long address) {
        int size = warp.cta().cluster().size();
        int rank = Addresses.rankOf(address);
        return rank >= size
                ? ", in the CTA of rank %d, and the cluster has %s"
                        .formatted(rank, Counted.of(size, "CTA"))
                : ", outside the %s of shared memory that each of the %d CTAs of the cluster has"
                        .formatted(bytes(warp.cta().grid().shared().bytes()), size);
    }

    /// The same for constant memory, whose addresses count from its first variable.
    private String constantPlace(long address, int bytes) {
        Program program = warp.cta().grid().program();
        return program.symbols().stream()
                .map(one -> new Buffer(one.name(), one.address() - program.base(), one.bytes()))
                .filter(one -> one.address() < program.constantBytes())
                .min(Comparator.comparingLong(one -> bytesBetween(one, address)))
                .map(nearest -> distance("variable", nearest, address, bytes))
                .orElse(", but the module has no constant memory");
    }

    private static long bytesBetween(Buffer buffer, long address) {
        return address < buffer.address() ? buffer.address() - address : address - buffer.end();
    }

    /// Tells an index below zero, which 32 bits without a sign made a large one.
    private static String wrapped(Buffer buffer, long address, int bytes) {
        long index = (address - buffer.address()) / bytes - (1L << 32);
        return index < 0 && index >= Integer.MIN_VALUE
                ? ": as by an index of %d (of %s each), taken as 32 bits without sign"
                        .formatted(index, bytes(bytes))
                : "";
    }

    /// Addresses of shared memory have 32 bits: one below 0 is a large one.
    private static String beforeStart(long address) {
        return (int) address < 0 && address >>> 32 == 0
                ? ", %s before shared memory begins".formatted(bytes(-(long) (int) address))
                : "";
    }

    /// @param what is in memory of this kind
    private static String distance(String what, Buffer buffer, long address, int bytes) {
        String one =
                "%s (%s at 0x%x)"
                        .formatted(
                                Demangler.variableOf(buffer.name()),
                                bytes(buffer.bytes()),
                                buffer.address());
        if (buffer.holds(address, 1)) {
            return ", of which %s behind the end of %s"
                    .formatted(SharedGap.lying(address + bytes - buffer.end()), one);
        }
        return address >= buffer.end()
                ? ", in no %s: %s the end of %s"
                        .formatted(
                                what,
                                address == buffer.end()
                                        ? "right behind"
                                        : bytes(address - buffer.end()) + " behind",
                                one)
                : ", in no %s: %s before %s"
                        .formatted(what, bytes(buffer.address() - address), one);
    }

    /// An offset in a segment as an address of its space.
    private long inSpace(Space space, int lane, long offset) {
        return switch (space) {
            case GLOBAL -> offset + Addresses.GLOBAL;
            case LOCAL ->
                    offset < 0
                            ? warp.addresses().outside(lane)
                            : offset - warp.local().offset(lane, 0);
            case CONST, SHARED, CLUSTER, PARAM, GENERIC -> offset;
        };
    }

    /// Notes that two instructions store one value to one place in global memory. Nobody can say
    /// which comes first: so neither is named before the other.
    ///
    /// @param isInside whether by threads of one CTA
    static void noteSame(FindingFactory faults, Site one, Site other, boolean isInside) {
        boolean inOrder = one.number() <= other.number();
        Site first = inOrder ? one : other;
        Site second = inOrder ? other : one;
        faults.warn(
                Rule.SAME_VALUE_STORES,
                first,
                second,
                () -> new KernelFault(same(first, second, isInside)));
    }

    private static Finding same(Site first, Site second, boolean isInside) {
        return new Finding(
                Rule.SAME_VALUE_STORES,
                Rule.SAME_VALUE_STORES.section(),
                first,
                "%s stores the same value to the same global memory as a thread of %s CTA: nothing orders them"
                        .formatted(first.mnemonic(), isInside ? "the same" : "another"),
                null,
                first.equals(second)
                        ? List.of()
                        : List.of(new Finding.Note(second, "stored here, too")));
    }
}
