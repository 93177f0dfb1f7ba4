package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks at memory accesses for what the manual leaves undefined: outside any buffer, misaligned,
/// never written, racing, copied but
/// not waited for.
final class AccessChecks {
    /// The marks of four bytes at once.
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private static final int ALL_WRITTEN = 0x0101_0101;

    private final Warp warp;
    private final Names names;
    private @Nullable Buffer last;

    AccessChecks(Warp warp) {
        this.warp = warp;
        names = new Names(warp);
    }

    /// The fault of the first lane whose access is outside the segment or misaligned.
    KernelFault outside(
            Site site,
            Space space,
            long[] offsets,
            long lastOffset,
            int bytes,
            int lanes,
            boolean store) {
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
        String verb = store ? "store" : "load";
        if (outside != 0) {
            int lane = Integer.numberOfTrailingZeros(outside);
            return outOfBounds(site, space, offsets[lane], bytes, outside, verb);
        }
        int lane = Integer.numberOfTrailingZeros(misaligned == 0 ? lanes : misaligned);
        return warp.faults()
                .undefined(
                        "access-aligned",
                        "9.7.9.8",
                        site,
                        misaligned,
                        "%s of %d bytes at %s address 0x%x%s, which is not a multiple of %d"
                                .formatted(
                                        verb,
                                        bytes,
                                        name(space),
                                        inSpace(space, lane, offsets[lane]),
                                        names.inVariable(
                                                space, inSpace(space, lane, offsets[lane])),
                                        unit));
    }

    private KernelFault outOfBounds(
            Site site, Space space, long offset, int bytes, int lanes, String verb) {
        long address = inSpace(space, Integer.numberOfTrailingZeros(lanes), offset);
        String what =
                "%s of %d bytes at %s address 0x%x".formatted(verb, bytes, name(space), address);
        if (space == Space.GLOBAL) {
            Buffer freed = warp.cta().grid().global().freedAt(address);
            if (freed != null) {
                return warp.faults()
                        .undefined(
                                "access-of-live-memory",
                                "5.1.4",
                                site,
                                lanes,
                                "%s, in memory that was freed: %d bytes at 0x%x"
                                        .formatted(what, freed.bytes(), freed.address()));
            }
        }
        return warp.faults()
                .undefined(
                        "access-inside-a-buffer",
                        "5.1",
                        site,
                        lanes,
                        what + place(space, address, bytes));
    }

    /// Where an address lies that is in nothing the kernel owns.
    private String place(Space space, long address, int bytes) {
        return switch (space) {
            case CONST ->
                    ", outside the %d bytes of constant memory that the module has"
                            .formatted(warp.cta().grid().program().constantBytes());
            case GLOBAL -> {
                if (address >= 0 && address < 4096) {
                    yield ", in no buffer: a null pointer, or an offset from one";
                }
                Buffer nearest = warp.cta().grid().global().nearest(address);
                yield nearest == null ? ", in no buffer" : distance(nearest, address, bytes);
            }
            case SHARED ->
                    ", outside the %d bytes of shared memory that the CTA has (%d of them dynamic)"
                            .formatted(
                                    warp.cta().grid().sharedBytes(),
                                    warp.cta().grid().dynamicBytes());
            case LOCAL -> ", outside the thread's local memory";
            case PARAM, GENERIC -> ", which belongs to no state space";
        };
    }

    private static String distance(Buffer buffer, long address, int bytes) {
        String what =
                "%s (%d bytes at 0x%x)".formatted(buffer.name(), buffer.bytes(), buffer.address());
        if (buffer.holds(address, 1)) {
            return ", of which %d bytes lie behind the end of %s"
                    .formatted(address + bytes - buffer.end(), what);
        }
        return address >= buffer.end()
                ? ", in no buffer: %s the end of %s"
                        .formatted(
                                address == buffer.end()
                                        ? "right behind"
                                        : address - buffer.end() + " bytes behind",
                                what)
                : ", in no buffer: %d bytes before %s".formatted(buffer.address() - address, what);
    }

    private static String name(Space space) {
        return space == Space.GENERIC ? "generic" : space.name().toLowerCase(java.util.Locale.ROOT);
    }

    /// An offset in a segment as an address of its space.
    private long inSpace(Space space, int lane, long offset) {
        return switch (space) {
            case GLOBAL -> offset + Addresses.GLOBAL;
            case LOCAL -> offset < 0 ? offset : offset - warp.local().offset(lane, 0);
            case CONST, SHARED, PARAM, GENERIC -> offset;
        };
    }

    // With checks on.

    void load(Site site, Access access, Space space, long[] offsets, int bytes, int lanes) {
        switch (space) {
            case GLOBAL -> loadGlobal(site, space, offsets, bytes, lanes);
            case SHARED -> loadShared(site, access, offsets, bytes, lanes);
            case LOCAL -> loadLocal(site, offsets, bytes, lanes);
            case CONST, PARAM, GENERIC -> {}
        }
    }

    private void loadLocal(Site site, long[] offsets, int bytes, int lanes) {
        // Compilers pass structures by value whole, padding included.
        if (site.instruction().has("param") || site.instruction().has("param::func")) {
            return;
        }
        byte[] written = warp.local().written();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            for (int i = 0; i < bytes; i++) {
                if (written[at + i] == 0) {
                    long address = at - warp.local().offset(lane, 0);
                    throw warp.faults()
                            .undefined(
                                    "read-of-written-memory",
                                    "8.2.6",
                                    site,
                                    1 << lane,
                                    "load of %d bytes at local address 0x%x%s, of which this thread never wrote byte %d"
                                            .formatted(
                                                    bytes,
                                                    address,
                                                    names.inVariable(Space.LOCAL, address),
                                                    i));
                }
            }
        }
    }

    private void requireBuffer(
            Site site, Space space, long[] offsets, int bytes, int lanes, String verb) {
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            long address = offsets[lane] + Addresses.GLOBAL;
            if (last == null || !last.holds(address, bytes)) {
                last = warp.cta().grid().global().at(address);
                if (last == null || !last.holds(address, bytes)) {
                    throw outOfBounds(site, space, offsets[lane], bytes, 1 << lane, verb);
                }
            }
        }
    }

    private void loadGlobal(Site site, Space space, long[] offsets, int bytes, int lanes) {
        requireBuffer(site, space, offsets, bytes, lanes, "load");
        byte[] written = warp.cta().grid().global().written();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            if (bytes == Integer.BYTES && (int) WORD.get(written, at) == ALL_WRITTEN) {
                continue;
            }
            for (int i = 0; i < bytes; i++) {
                if (written[at + i] == 0) {
                    throw warp.faults()
                            .undefined(
                                    "read-of-written-memory",
                                    "8.2.6",
                                    site,
                                    1 << lane,
                                    "load of %d bytes at global address 0x%x%s, of which nobody wrote byte %d"
                                            .formatted(
                                                    bytes,
                                                    at + Addresses.GLOBAL,
                                                    names.inVariable(
                                                            Space.GLOBAL, at + Addresses.GLOBAL),
                                                    i));
                }
            }
        }
    }

    private void loadShared(Site site, Access access, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        boolean strong = access.strength() == Access.Strength.STRONG;
        int self = warp.index();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            if (strong) {
                shadow.order().acquire(at, self);
            }
            int thread = warp.thread(lane) + 1;
            // A loop of one round costs more than what is in it.
            if (bytes == Integer.BYTES && shadow.extent(at, at + bytes) == bytes) {
                readByte(shadow, site, at, lane, thread, strong, at, bytes);
            } else {
                readBytes(shadow, site, lane, thread, strong, at, bytes);
            }
        }
    }

    private void readBytes(
            SharedShadow shadow,
            Site site,
            int lane,
            int thread,
            boolean strong,
            int at,
            int bytes) {
        for (int i = at, extent; i < at + bytes; i += extent) {
            extent = shadow.extent(i, at + bytes);
            readByte(shadow, site, i, lane, thread, strong, at, bytes);
        }
    }

    private void readByte(
            SharedShadow shadow,
            Site site,
            int i,
            int lane,
            int thread,
            boolean strong,
            int at,
            int bytes) {
        int writer = shadow.writer(i);
        if (writer == 0) {
            throw warp.faults()
                    .undefined(
                            "read-of-written-memory",
                            "8.2.6",
                            site,
                            1 << lane,
                            "load of %d bytes at shared address 0x%x%s, of which nobody wrote byte %d"
                                    .formatted(
                                            bytes, at, names.inVariable(Space.SHARED, at), i - at));
        }
        if (shadow.copier(i) != 0) {
            requireWaited(shadow, site, i, lane, at, bytes);
        }
        int self = warp.index();
        if (writer != thread && !shadow.isWriteBefore(i, self, strong)) {
            throw race(site, lane, "load", at, bytes, writer, shadow.writeSite(i), "written");
        }
        shadow.read(i, thread, self, site.number(), strong);
    }

    private void requireWaited(SharedShadow shadow, Site site, int i, int lane, int at, int bytes) {
        int copier = shadow.copier(i) - 1;
        if (warp.cta().isRetired(copier, shadow.copyGroup(i))) {
            shadow.copied(i);
            return;
        }
        throw warp.faults()
                .undefined(
                        "cp-async-read-after-wait",
                        "9.7.9.25.3",
                        site,
                        1 << lane,
                        "load of %d bytes at shared address 0x%x%s, into which a cp.async of thread %d is still copying: that thread has not waited for it"
                                .formatted(bytes, at, names.inVariable(Space.SHARED, at), copier),
                        note(
                                shadow.writeSite(i),
                                "copied here by thread %d (warp %d, lane %d), in its group %d of cp.async"
                                        .formatted(
                                                copier,
                                                copier / 32,
                                                copier % 32,
                                                shadow.copyGroup(i))),
                        waited(copier));
    }

    private Finding.Note waited(int thread) {
        return new Finding.Note(
                null, "thread %d has waited for %s".formatted(thread, warp.cta().retired(thread)));
    }

    private Finding.Note note(int site, String message) {
        return new Finding.Note(warp.cta().grid().program().sites().get(site), message);
    }

    private KernelFault race(
            Site site,
            int lane,
            String verb,
            int at,
            int bytes,
            int other,
            int otherSite,
            String done) {
        return warp.faults()
                .undefined(
                        "shared-race",
                        "8.7.1",
                        site,
                        1 << lane,
                        "%s of %d bytes at shared address 0x%x%s by thread %d races with thread %d: no barrier stands between them"
                                .formatted(
                                        verb,
                                        bytes,
                                        at,
                                        names.inVariable(Space.SHARED, at),
                                        warp.thread(lane),
                                        other - 1),
                        note(
                                otherSite,
                                "%s here by thread %d (warp %d, lane %d)"
                                        .formatted(
                                                done,
                                                other - 1,
                                                (other - 1) / 32,
                                                (other - 1) % 32)));
    }

    void store(
            Frame frame,
            Site site,
            Access access,
            Space space,
            long[] offsets,
            int bytes,
            int lanes) {
        switch (space) {
            case GLOBAL -> {
                requireBuffer(site, space, offsets, bytes, lanes, "store");
                byte[] written = warp.cta().grid().global().written();
                for (int lane = 0; lane < 32; lane++) {
                    if ((lanes >>> lane & 1) != 0) {
                        int at = (int) offsets[lane];
                        java.util.Arrays.fill(written, at, at + bytes, (byte) 1);
                    }
                }
            }
            case SHARED -> storeShared(site, access, offsets, bytes, lanes);
            case LOCAL -> {
                byte[] written = warp.local().written();
                for (int lane = 0; lane < 32; lane++) {
                    if ((lanes >>> lane & 1) != 0) {
                        int at = (int) offsets[lane];
                        java.util.Arrays.fill(written, at, at + bytes, (byte) 1);
                    }
                }
            }
            case PARAM, CONST, GENERIC -> {}
        }
    }

    private void storeShared(Site site, Access access, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        boolean strong = access.strength() == Access.Strength.STRONG;
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            if (strong) {
                shadow.order().acquire(at, warp.index());
            }
            if (bytes == Integer.BYTES && shadow.extent(at, at + bytes) == bytes) {
                writeByte(shadow, site, at, lane, strong, at, bytes);
            } else {
                writeBytes(shadow, site, lane, strong, at, bytes);
            }
            if (strong) {
                shadow.order().release(at, warp.index());
            }
        }
    }

    private void writeBytes(
            SharedShadow shadow, Site site, int lane, boolean strong, int at, int bytes) {
        for (int i = at, extent; i < at + bytes; i += extent) {
            extent = shadow.extent(i, at + bytes);
            writeByte(shadow, site, i, lane, strong, at, bytes);
        }
        shadow.wrote(at, at + bytes);
    }

    private void writeByte(
            SharedShadow shadow, Site site, int i, int lane, boolean strong, int at, int bytes) {
        int self = warp.index();
        int thread = warp.thread(lane) + 1;
        int reader = shadow.reader(i);
        if (reader != 0
                && reader != thread
                && !shadow.isReadBefore(i, self, strong)
                && shadow.readSite(i) != site.number()) {
            throw race(site, lane, "store", at, bytes, reader, shadow.readSite(i), "read");
        }
        int writer = shadow.writer(i);
        if (writer != 0
                && writer != thread
                && !shadow.isWriteBefore(i, self, strong)
                && shadow.writeSite(i) != site.number()) {
            throw race(site, lane, "store", at, bytes, writer, shadow.writeSite(i), "written");
        }
        shadow.write(i, thread, self, site.number(), strong);
    }

    /// A lane's asynchronous copy writes these bytes until the lane waits for it.
    void underWay(Site site, int lane, long offset, int bytes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        int end = (int) offset + bytes;
        for (int i = (int) offset, extent; i < end; i += extent) {
            extent = shadow.extent(i, end);
            shadow.copy(i, warp.thread(lane) + 1, warp.groups().current(lane), site.number());
        }
    }
}
