package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.shadow.PlannedReads;

import java.util.Arrays;
import java.util.stream.IntStream;

/// What a note of the rows stands for that a warp has read.
///
/// @param plan the words of a row, by the instruction that reads them
/// @param lanes that name rows
record RowReads(PlannedReads plan, int lanes) {
    private static final int ROW_WORDS = 4;

    static RowReads of(Exit.Synchronize exit, Collective.AccessMatrix access) {
        return new RowReads(
                plan(ROW_WORDS, exit.site()), -1 >>> Integer.SIZE - 8 * access.registers());
    }

    /// What each lane of a warp loads.
    static RowReads of(MemoryEmitter.Plain load) {
        return new RowReads(plan(load.bytes() / Integer.BYTES, load.step().site()), -1);
    }

    private static PlannedReads plan(int words, Site site) {
        int[] sites = new int[words];
        Arrays.fill(sites, site.number());
        return new PlannedReads(IntStream.range(0, words).toArray(), sites);
    }
}
