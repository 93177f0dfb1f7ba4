package dev.heddle.vm.access;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Space;
import dev.heddle.vm.state.Frame;
import dev.heddle.vm.state.Warp;

/// What `wmma.load` and `wmma.store` ask of addresses (PTX ISA 9.7.14.4.3 and 9.7.14.4.4): all
/// lanes name one tile, whose rows are aligned.
final class TileNames {
    private final Warp warp;
    private final MemoryUnit memory;

    TileNames(Warp warp, MemoryUnit memory) {
        this.warp = warp;
        this.memory = memory;
    }

    void require(Frame frame, Site site, Collective.NameTile tile) {
        if (warp.checksLanes()) {
            requireOne(frame, site, tile);
        }
        warp.addresses()
                .forEachSpace(
                        frame,
                        tile.space(),
                        tile.base(),
                        tile.offset(),
                        -1,
                        (found, _, lanes) -> {
                            long[] offsets = warp.addresses().offsets();
                            if (found != Space.GLOBAL && found != Space.SHARED) {
                                throw memory.checks()
                                        .outside(
                                                site,
                                                found,
                                                offsets,
                                                -1,
                                                tile.alignment(),
                                                lanes,
                                                tile.kind());
                            }
                            if (warp.cta().grid().checks(RuleGroup.MEMORY)) {
                                requireAligned(frame, site, tile, offsets[0]);
                            }
                        });
    }

    private void requireOne(Frame frame, Site site, Collective.NameTile tile) {
        int others = others(frame, tile.base()) | others(frame, tile.stride());
        if (others != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.WMMA_ADDRESS_DIFFERS,
                            site,
                            others,
                            "%s with another address or stride than lane 0: all lanes of the warp must name the same"
                                    .formatted(site.mnemonic()));
        }
    }

    private static int others(Frame frame, Source source) {
        return source instanceof Register register
                ? frame.lanesOtherThan(frame.value(register, 0), register)
                : 0;
    }

    private void requireAligned(Frame frame, Site site, Collective.NameTile tile, long start) {
        long bits = (long) (int) frame.value(tile.stride(), 0) * tile.elementBits();
        if (start % tile.alignment() != 0 || bits % (8L * tile.alignment()) != 0) {
            throw warp.faults()
                    .undefined(
                            Rule.MISALIGNED_WMMA,
                            site,
                            -1,
                            "%s at offset 0x%x with %d bytes from row to row: both must be multiples of %d"
                                    .formatted(site.mnemonic(), start, bits / 8, tile.alignment()));
        }
    }
}
