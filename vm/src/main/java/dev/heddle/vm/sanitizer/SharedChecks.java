package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.CheckGroup;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.scheduling.Warp;

/// Looks at accesses to shared memory for what the manual leaves undefined: reads of what nobody
/// wrote or what is still being copied, and races.
public final class SharedChecks {
    private final Warp warp;
    private final SymbolNames names;

    public SharedChecks(Warp warp, SymbolNames names) {
        this.warp = warp;
        this.names = names;
    }

    /// What is looked at.
    private record Look(Site site, int lane, int at, int bytes) {}

    public void load(Site site, Access access, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        boolean strong = access.strength() == Access.Strength.STRONG;
        long now = shadow.stamp(warp.index(), site.number(), strong);
        int closer = lanes;
        if (!strong && bytes % Integer.BYTES == 0) {
            closer = 0;
            for (int from = 0; from < bytes; from += Integer.BYTES) {
                closer |= shadow.readWords(offsets, from, lanes, now);
            }
        }
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            if (strong) {
                shadow.order().acquire(at, warp.index());
            }
            read(shadow, new Look(site, lane, at, bytes), now + lane);
        }
    }

    private void read(SharedShadow shadow, Look look, long now) {
        int end = look.at + look.bytes;
        for (int i = look.at, extent; i < end; i += extent) {
            extent = shadow.extent(i, end);
            long write = shadow.write(i);
            if (write == SharedShadow.NOBODY) {
                if (!warp.cta().grid().checks(CheckGroup.DEFINEDNESS)) {
                    continue;
                }
                throw warp.faults()
                        .undefined(
                                "read-of-written-memory",
                                "8.2.6",
                                look.site,
                                1 << look.lane,
                                "%s, of which nobody wrote byte %d"
                                        .formatted(words("load", look), i - look.at));
            }
            if (shadow.copier(i) >= 0 && warp.cta().grid().checks(CheckGroup.ASYNC)) {
                requireWaited(shadow, look, i);
            }
            if (!shadow.isOrdered(write, now) && warp.cta().grid().checks(CheckGroup.RACES)) {
                throw race("load", look, write, "written");
            }
            shadow.stampRead(i, now);
        }
    }

    private void requireWaited(SharedShadow shadow, Look look, int i) {
        int copier = shadow.copier(i);
        int group = shadow.copyGroup(i);
        if (warp.cta().isRetired(copier, group)) {
            shadow.copied(i);
            return;
        }
        throw warp.faults()
                .undefined(
                        "cp-async-read-after-wait",
                        "9.7.9.25.3",
                        look.site,
                        1 << look.lane,
                        "%s, into which a cp.async of thread %d is still copying: that thread has not waited for it"
                                .formatted(words("load", look), copier),
                        note(
                                shadow.copySite(i),
                                "copied here by %s, in its group %d of cp.async"
                                        .formatted(thread(copier), group)),
                        new Finding.Note(
                                null,
                                "thread %d has waited for %s"
                                        .formatted(copier, warp.cta().retired(copier))));
    }

    public void store(Site site, Access access, long[] offsets, int bytes, int lanes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow == null) {
            return;
        }
        boolean strong = access.strength() == Access.Strength.STRONG;
        int closer = lanes;
        if (!strong && bytes % Integer.BYTES == 0) {
            long now = shadow.stamp(warp.index(), site.number(), false);
            closer = 0;
            for (int from = 0; from < bytes; from += Integer.BYTES) {
                closer |= shadow.writeWords(offsets, from, lanes, now);
            }
        }
        for (int rest = closer; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int at = (int) offsets[lane];
            if (strong) {
                shadow.order().acquire(at, warp.index());
            }
            long now = shadow.stamp(warp.index(), site.number(), strong) + lane;
            write(shadow, new Look(site, lane, at, bytes), now);
            if (strong) {
                shadow.order().release(at, warp.index());
            }
        }
    }

    private void write(SharedShadow shadow, Look look, long now) {
        int end = look.at + look.bytes;
        for (int i = look.at, extent; i < end; i += extent) {
            extent = shadow.extent(i, end);
            requireOrdered(shadow, look, shadow.read(i), now, "read");
            requireOrdered(shadow, look, shadow.write(i), now, "written");
            shadow.stampWrite(i, now);
        }
        shadow.wrote(look.at, end, now);
    }

    /// Many kernels let several threads store the same value by one instruction: left alone.
    private void requireOrdered(
            SharedShadow shadow, Look look, long earlier, long now, String done) {
        if (!shadow.isOrdered(earlier, now)
                && warp.cta().grid().checks(CheckGroup.RACES)
                && SharedShadow.site(earlier) != SharedShadow.site(now)) {
            throw race("store", look, earlier, done);
        }
    }

    /// A lane's asynchronous copy writes these bytes until the lane waits for it.
    public void underWay(Site site, int lane, long offset, int bytes) {
        SharedShadow shadow = warp.cta().shadow();
        if (shadow != null) {
            int group = warp.groups().current(lane);
            shadow.copy((int) offset, bytes, warp.thread(lane), group, site.number());
        }
    }

    // Words.

    private String words(String verb, Look look) {
        return "%s of %d bytes at shared address 0x%x%s"
                .formatted(verb, look.bytes, look.at, names.inVariable(Space.SHARED, look.at));
    }

    private KernelFault race(String verb, Look look, long other, String done) {
        int thread = SharedShadow.thread(other);
        return warp.faults()
                .undefined(
                        "shared-race",
                        "8.7.1",
                        look.site,
                        1 << look.lane,
                        "%s by thread %d races with thread %d: no barrier stands between them"
                                .formatted(words(verb, look), warp.thread(look.lane), thread),
                        note(
                                SharedShadow.site(other),
                                "%s here by %s".formatted(done, thread(thread))));
    }

    private static String thread(int number) {
        return "thread %d (warp %d, lane %d)".formatted(number, number / 32, number % 32);
    }

    private Finding.Note note(int site, String message) {
        return new Finding.Note(
                site == SharedShadow.NO_SITE ? null : warp.cta().grid().program().sites().get(site),
                message);
    }
}
