package dev.heddle.vm.compiler;

import dev.heddle.vm.ir.Collective;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.shadow.PlannedReads;

import java.util.Arrays;

/// What a note of the rows stands for that a warp has read.
///
/// @param plan the words of a row, by the instruction that reads them
/// @param lanes that name rows
record RowReads(PlannedReads plan, int lanes) {
    private static final int ROW_WORDS = 4;

    static RowReads of(Exit.Synchronize exit, Collective.AccessMatrix access) {
        int[] sites = new int[ROW_WORDS];
        Arrays.fill(sites, exit.site().number());
        return new RowReads(
                new PlannedReads(new int[] {0, 1, 2, 3}, sites),
                -1 >>> Integer.SIZE - 8 * access.registers());
    }
}
