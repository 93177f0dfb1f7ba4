package dev.heddle.vm.sanitizer;

import dev.heddle.formats.Counted;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Addresses;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.Stamp;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Looks at loads through the non-coherent cache (`ld.global.nc`, PTX ISA 9.7.9.9), and from
/// textures and surfaces (2.3): nothing in a launch makes these caches forget what was written
/// since. So no byte may be loaded so that the same launch wrote before, whatever orders the two,
/// and by the same thread neither. A write that comes after the load takes nothing from it.
record NonCoherentLoads(
        Warp warp, SymbolNames names, @Nullable Definedness definedness, GlobalShadow shadow) {
    /// The section that says so of textures and surfaces.
    private static final String MEMORIES = "2.3";

    /// Whether an instruction loads so.
    static boolean isOne(Site site) {
        return site.is(Site.Mark.NON_COHERENT) || isOfTexels(site);
    }

    private static boolean isOfTexels(Site site) {
        return switch (site.kind()) {
            case TEXTURE, TEXTURE_GATHER, SURFACE_LOAD -> true;
            default -> false;
        };
    }

    /// Those of a warp, or null where races are not looked for.
    static @Nullable NonCoherentLoads of(
            Warp warp, SymbolNames names, @Nullable Definedness definedness) {
        GlobalShadow shadow = warp.cta().grid().shadow();
        return shadow == null || !warp.cta().grid().checks(RuleGroup.RACES)
                ? null
                : new NonCoherentLoads(warp, names, definedness, shadow);
    }

    /// A load, before it is made.
    ///
    /// @param bytes of a lane
    void load(Site site, long[] offsets, int bytes, int lanes) {
        long unwritten = -1;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            long from = offsets[lane];
            // Mostly one write covers a sector.
            long first = from / GlobalStamp.SECTOR;
            long last = (from + bytes - 1) / GlobalStamp.SECTOR;
            if (first == unwritten && last == unwritten) {
                continue;
            }
            if (shadow.writeOf(first * GlobalStamp.SECTOR, (last + 1) * GlobalStamp.SECTOR)
                    == GlobalStamp.NOBODY) {
                unwritten = last;
                continue;
            }
            look(site, from, bytes, lane);
        }
    }

    private void look(Site site, long from, int bytes, int lane) {
        for (int i = 0; i < bytes; i++) {
            long write = shadow.writeOf(from + i, from + i + 1);
            if (write == GlobalStamp.NOBODY) {
                continue;
            }
            Supplier<KernelFault> fault = () -> fault(site, write, from, bytes, lane);
            if (definedness == null || !definedness.takes(lane, i, fault)) {
                warp.faults().tell(Rule.NON_COHERENT_READ, site, party(write).site(), fault);
                return;
            }
        }
    }

    private Party party(long write) {
        return warp.faults().party(shadow.stamps(), write);
    }

    private KernelFault fault(Site site, long write, long from, int bytes, int lane) {
        Party party = party(write);
        long address = from + Addresses.GLOBAL;
        return warp.faults()
                .undefined(
                        Rule.NON_COHERENT_READ,
                        isOfTexels(site) ? MEMORIES : Rule.NON_COHERENT_READ.section(),
                        site,
                        1 << lane,
                        "%s of %s at global address 0x%x%s by %s, which %s wrote in the same launch: %s may still hold what was there before"
                                .formatted(
                                        site.mnemonic(),
                                        Counted.bytes(bytes),
                                        address,
                                        names.inVariable(Space.GLOBAL, address, bytes),
                                        warp.faults()
                                                .party(warp.thread(lane), Stamp.NO_SITE)
                                                .name(),
                                        party.name(),
                                        isOfTexels(site)
                                                ? "the cache of textures and surfaces"
                                                : "the non-coherent cache"),
                        party.note("written"));
    }
}
