package dev.heddle.vm.state;

import dev.heddle.isa.rule.Rule;
import dev.heddle.ptx.instruction.InstructionKind;
import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.LaneText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Says where a launch was when it reached a limit, and in which loop.
public final class LimitReport {
    private static final String WEAK_LOAD =
            "a weak load need not see what others write: a loop that waits for them needs"
                    + " .volatile, .relaxed or .acquire";

    private LimitReport() {}

    public static KernelFault at(Code code, int block, int mask, Warp warp, String message) {
        List<Finding.Note> notes = new ArrayList<>();
        Place place = Place.of(code, block);
        Warp.Spin spin = warp.spinning();
        if (spin != null && spin.site().kind().memory() != InstructionKind.Memory.WRITES) {
            notes.add(new Finding.Note(spin.site(), "it looks at memory here, again and again"));
        }
        notes.add(
                new Finding.Note(
                        null,
                        "a launch says how far it may go: --timeout or --max-instructions, timeout"
                            + " or maxInstructions in a launch file, Launch.withLimits in Java"));
        return warp.faults()
                .fault(
                        Rule.TIME_LIMIT_REACHED,
                        place.site,
                        mask,
                        message + " and was " + place.words,
                        notes.toArray(Finding.Note[]::new));
    }

    /// A warp runs in a circle that nothing ends.
    public static KernelFault endless(Code code, int block, int mask, Warp warp) {
        List<Finding.Note> notes = new ArrayList<>();
        Place place = Place.of(code, block);
        place.loop.stream()
                .mapToObj(number -> code.blocks().get(number))
                .flatMap(each -> each.steps().stream())
                .filter(LimitReport::loads)
                .limit(1)
                .map(load -> new Finding.Note(load.site(), WEAK_LOAD))
                .forEach(notes::add);
        return warp.faults()
                .fault(
                        Rule.ENDLESS_LOOP,
                        place.site,
                        mask,
                        "%s of warp %d run in a circle, %s: each round leaves registers and memory as they were"
                                .formatted(LaneText.describe(mask), warp.index(), place.words),
                        notes.toArray(Finding.Note[]::new));
    }

    private static boolean loads(Step step) {
        return step.access() != null && step.site().kind().memory() == InstructionKind.Memory.READS;
    }

    /// A block, and the loop that it is in.
    ///
    /// @param loop the blocks on a way from it back to it
    /// @param site an instruction there
    /// @param words where that is
    private record Place(BitSet loop, @Nullable Site site, String words) {
        static Place of(Code code, int block) {
            BitSet loop = around(code, block);
            Site site = siteOf(code.blocks().get(block));
            if (loop.isEmpty()) {
                return new Place(loop, site, "in " + code.sourceName());
            }
            int first = Integer.MAX_VALUE;
            int last = 0;
            for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
                for (Site each : sitesOf(code.blocks().get(i))) {
                    first = Math.min(first, each.position().line());
                    last = Math.max(last, each.position().line());
                    site = site == null ? each : site;
                }
            }
            return new Place(
                    loop,
                    site,
                    first == last
                            ? "in the loop on line " + first
                            : "in the loop of lines %d to %d".formatted(first, last));
        }
    }

    private static @Nullable Site siteOf(Block block) {
        List<Site> sites = sitesOf(block);
        return sites.isEmpty() ? null : sites.getLast();
    }

    private static List<Site> sitesOf(Block block) {
        List<Site> sites = new ArrayList<>();
        for (Step step : block.steps()) {
            sites.add(step.site());
        }
        Exit exit = block.exit();
        if (exit.site() != null) {
            sites.add(exit.site());
        }
        return sites;
    }

    /// The blocks on a way from this block back to it.
    private static BitSet around(Code code, int block) {
        List<List<Integer>> successors = new ArrayList<>();
        List<List<Integer>> predecessors = new ArrayList<>();
        for (Block each : code.blocks()) {
            successors.add(each.exit().successors());
            predecessors.add(new ArrayList<>());
        }
        for (int i = 0; i < successors.size(); i++) {
            for (int next : successors.get(i)) {
                predecessors.get(next).add(i);
            }
        }
        BitSet loop = reach(successors, block);
        loop.and(reach(predecessors, block));
        return loop;
    }

    /// What can be reached by at least one step.
    private static BitSet reach(List<List<Integer>> edges, int from) {
        BitSet seen = new BitSet();
        List<Integer> work = new ArrayList<>(List.of(from));
        while (!work.isEmpty()) {
            int at = work.removeLast();
            for (int next : edges.get(at)) {
                if (!seen.get(next)) {
                    seen.set(next);
                    work.add(next);
                }
            }
        }
        return seen;
    }
}
