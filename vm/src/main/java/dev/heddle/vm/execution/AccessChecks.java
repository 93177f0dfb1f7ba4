package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import org.jspecify.annotations.Nullable;

/// Looks at memory accesses for what the manual leaves undefined: outside any buffer, misaligned,
/// never written, racing, copied but
/// not waited for.
final class AccessChecks {
    private final Warp warp;
    private @Nullable Buffer last;

    AccessChecks(Warp warp) {
        this.warp = warp;
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
        String verb = store ? "store" : "access";
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
                        "%s of %d bytes at %s address 0x%x, which is not a multiple of %d"
                                .formatted(
                                        verb,
                                        bytes,
                                        name(space),
                                        address(space, offsets[lane]),
                                        unit));
    }

    private KernelFault outOfBounds(
            Site site, Space space, long offset, int bytes, int lanes, String verb) {
        long address = address(space, offset);
        String near = "";
        if (space == Space.GLOBAL || space == Space.CONST) {
            Buffer freed = warp.cta().grid().global().freedAt(address);
            if (freed != null) {
                return warp.faults()
                        .undefined(
                                "access-of-live-memory",
                                "5.1.4",
                                site,
                                lanes,
                                "%s of %d bytes at 0x%x, in freed memory"
                                        .formatted(verb, bytes, address));
            }
            Buffer nearest = warp.cta().grid().global().nearest(address);
            if (nearest != null) {
                near = distance(nearest, address);
            }
        } else if (space == Space.SHARED) {
            near = "; the CTA has %d bytes of it".formatted(warp.cta().grid().sharedBytes());
        }
        return warp.faults()
                .undefined(
                        "access-inside-a-buffer",
                        "5.1",
                        site,
                        lanes,
                        "%s of %d bytes at %s address 0x%x, outside every buffer%s"
                                .formatted(verb, bytes, name(space), address, near));
    }

    private static String distance(Buffer buffer, long address) {
        String text = "; nearest is %s, %d bytes at 0x%x, %d bytes ";
        return address >= buffer.end()
                ? (text + "before")
                        .formatted(
                                buffer.name(),
                                buffer.bytes(),
                                buffer.address(),
                                address - buffer.end())
                : (text + "behind")
                        .formatted(
                                buffer.name(),
                                buffer.bytes(),
                                buffer.address(),
                                Math.abs(buffer.address() - address));
    }

    private static String name(Space space) {
        return space == Space.GENERIC ? "generic" : space.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static long address(Space space, long offset) {
        return space == Space.GLOBAL || space == Space.CONST ? offset + Addresses.GLOBAL : offset;
    }

    // With checks on.

    void load(Site site, Access access, Space space, long[] offsets, int bytes, int lanes) {
        switch (space) {
            case GLOBAL, CONST -> loadGlobal(site, space, offsets, bytes, lanes);
            case SHARED -> loadShared(site, access, offsets, bytes, lanes);
            case LOCAL, PARAM, GENERIC -> {}
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
        requireBuffer(site, space, offsets, bytes, lanes, "access");
        byte[] written = warp.cta().grid().global().written();
        for (int lane = 0; lane < 32; lane++) {
            if ((lanes >>> lane & 1) == 0) {
                continue;
            }
            int at = (int) offsets[lane];
            for (int i = 0; i < bytes; i++) {
                if (written[at + i] == 0) {
                    throw warp.faults()
                            .undefined(
                                    "read-of-written-memory",
                                    "8.2.6",
                                    site,
                                    1 << lane,
                                    "read of %d bytes at global address 0x%x, which nobody wrote%s"
                                            .formatted(
                                                    bytes,
                                                    at + Addresses.GLOBAL,
                                                    inBuffer(at + Addresses.GLOBAL)));
                }
            }
        }
    }

    private String inBuffer(long address) {
        Buffer buffer = warp.cta().grid().global().at(address);
        return buffer == null
                ? ""
                : " (%s + %d)".formatted(buffer.name(), address - buffer.address());
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
            for (int i = at; i < at + bytes; i++) {
                readByte(shadow, site, i, lane, thread, strong, at, bytes);
            }
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
        int writer = shadow.writer[i];
        if (writer == 0) {
            throw warp.faults()
                    .undefined(
                            "read-of-written-memory",
                            "8.2.6",
                            site,
                            1 << lane,
                            "read of %d bytes at shared address 0x%x, which nobody wrote"
                                    .formatted(bytes, at));
        }
        if (shadow.copier[i] != 0) {
            requireWaited(shadow, site, i, lane, at, bytes);
        }
        Order order = shadow.order();
        int self = warp.index();
        if (writer != thread
                && !(strong && shadow.writeStrong[i])
                && !order.isBefore(
                        (writer - 1) / 32, shadow.writeClock[i], shadow.writeEpoch[i], self)) {
            throw race(site, lane, "read", at, bytes, writer, shadow.writeSite[i], "written");
        }
        shadow.reader[i] = thread;
        shadow.readClock[i] = order.clock(self);
        shadow.readEpoch[i] = order.epoch(self);
        shadow.readSite[i] = site.number();
        shadow.readStrong[i] = strong;
    }

    private void requireWaited(SharedShadow shadow, Site site, int i, int lane, int at, int bytes) {
        int copier = shadow.copier[i] - 1;
        if (warp.cta().isRetired(copier, shadow.copyGroup[i])) {
            shadow.copier[i] = 0;
            return;
        }
        throw warp.faults()
                .undefined(
                        "cp-async-read-after-wait",
                        "9.7.9.25.3",
                        site,
                        1 << lane,
                        "read of %d bytes at shared address 0x%x, into which cp.async of thread %d copies without having been waited for"
                                .formatted(bytes, at, copier),
                        note(shadow.writeSite[i], "copied here"));
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
                        "%s of %d bytes at shared address 0x%x by thread %d races: no barrier orders it after thread %d"
                                .formatted(verb, bytes, at, warp.thread(lane), other - 1),
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
            case LOCAL, PARAM, CONST, GENERIC -> {}
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
            for (int i = at; i < at + bytes; i++) {
                writeByte(shadow, site, i, lane, strong, at, bytes);
            }
            if (strong) {
                shadow.order().release(at, warp.index());
            }
        }
    }

    private void writeByte(
            SharedShadow shadow, Site site, int i, int lane, boolean strong, int at, int bytes) {
        Order order = shadow.order();
        int self = warp.index();
        int thread = warp.thread(lane) + 1;
        int reader = shadow.reader[i];
        if (reader != 0
                && reader != thread
                && !(strong && shadow.readStrong[i])
                && !order.isBefore(
                        (reader - 1) / 32, shadow.readClock[i], shadow.readEpoch[i], self)
                && shadow.readSite[i] != site.number()) {
            throw race(site, lane, "store", at, bytes, reader, shadow.readSite[i], "read");
        }
        int writer = shadow.writer[i];
        if (writer != 0
                && writer != thread
                && !(strong && shadow.writeStrong[i])
                && !order.isBefore(
                        (writer - 1) / 32, shadow.writeClock[i], shadow.writeEpoch[i], self)
                && shadow.writeSite[i] != site.number()) {
            throw race(site, lane, "store", at, bytes, writer, shadow.writeSite[i], "written");
        }
        shadow.writer[i] = thread;
        shadow.writeClock[i] = order.clock(self);
        shadow.writeEpoch[i] = order.epoch(self);
        shadow.writeSite[i] = site.number();
        shadow.writeStrong[i] = strong;
        shadow.reader[i] = 0;
        shadow.copier[i] = 0;
    }

    /// A lane's asynchronous copy writes these bytes until the lane waits for it.
    void underWay(Site site, int lane, long offset, int bytes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        for (int i = (int) offset; i < offset + bytes; i++) {
            shadow.copier[i] = warp.thread(lane) + 1;
            shadow.copyGroup[i] = warp.groups().current(lane);
            shadow.writeSite[i] = site.number();
        }
    }
}
