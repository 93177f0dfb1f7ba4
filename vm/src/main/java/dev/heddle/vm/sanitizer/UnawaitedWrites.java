package dev.heddle.vm.sanitizer;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.ptx.instruction.InstructionKind.Memory;
import dev.heddle.ptx.instruction.InstructionKind.Proxy;
import dev.heddle.vm.ir.Access;
import dev.heddle.vm.ir.AccessKind;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.BulkWrites;
import dev.heddle.vm.shadow.BulkWrites.Write;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Looks for accesses of a warp to global memory that a bulk operation of its CTA may still write.
final class UnawaitedWrites {
    private final Warp warp;
    private final SymbolNames names;
    private final BulkWrites writes;
    private final @Nullable Definedness definedness;

    /// @param definedness that follows the warp's values, or null
    UnawaitedWrites(
            Warp warp, SymbolNames names, BulkWrites writes, @Nullable Definedness definedness) {
        this.warp = warp;
        this.names = names;
        this.writes = writes;
        this.definedness = definedness;
    }

    /// Looks at an access, before it is made.
    ///
    /// @param bytes of a lane
    void look(Site site, Access access, AccessKind kind, long[] offsets, int bytes, int lanes) {
        if (writes.isEmpty() || kind.writes() && isBulk(site.kind())) {
            // Bulk operations write in an order that others look at.
            return;
        }
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long at = offsets[lane];
            for (Write write : writes.of(at, at + bytes)) {
                if (!access.isStrong() || !write.isReduction()) {
                    tell(site, kind, at, bytes, lane, write);
                    return;
                }
            }
        }
    }

    private static boolean isBulk(InstructionKind kind) {
        return kind.memory() == Memory.COPIES && kind.proxy() == Proxy.ASYNC;
    }

    private void tell(Site site, AccessKind kind, long at, int bytes, int lane, Write write) {
        Party other = warp.faults().party(write.thread(), write.site());
        Supplier<KernelFault> fault = () -> race(site, kind, at, bytes, lane, other);
        Definedness follower = kind == AccessKind.LOAD && !isBulk(site.kind()) ? definedness : null;
        for (long i = Math.max(at, write.from()); i < Math.min(at + bytes, write.to()); i++) {
            if (follower == null || !follower.takes(lane, (int) (i - at), fault)) {
                warp.faults().tell(Rule.DATA_RACE, site, other.site(), fault);
                return;
            }
        }
    }

    private KernelFault race(
            Site site, AccessKind kind, long at, int bytes, int lane, Party other) {
        long address = at + Addresses.GLOBAL;
        return warp.faults()
                .undefined(
                        Rule.DATA_RACE,
                        site,
                        1 << lane,
                        "%s global address 0x%x%s by %s races with what a bulk operation of %s writes there: that thread has not waited until it is written (cp.async.bulk.wait_group without .read)"
                                .formatted(
                                        AccessFaults.words(site, kind, bytes),
                                        address,
                                        names.inVariable(Space.GLOBAL, address, bytes),
                                        warp.faults()
                                                .party(warp.thread(lane), Stamp.NO_SITE)
                                                .name(),
                                        other.name()),
                        other.note("begun"));
    }
}
