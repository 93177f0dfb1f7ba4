package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Effects;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Site;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.KernelFault;
import dev.heddle.vm.report.Verdict;
import dev.heddle.vm.scheduling.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Says where a launch was when it reached a limit, and in which loop.
public final class LimitReport {
    private LimitReport() {}

    public static KernelFault at(Code code, int block, int mask, Warp warp, String message) {
        List<Finding.Note> notes = new ArrayList<>();
        BitSet loop = loop(code, block);
        Site site = siteOf(code.blocks().get(block));
        String where = " and was in " + code.name();
        if (!loop.isEmpty()) {
            int first = Integer.MAX_VALUE;
            int last = 0;
            for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
                for (Site each : sitesOf(code.blocks().get(i))) {
                    first = Math.min(first, each.position().line());
                    last = Math.max(last, each.position().line());
                    site = site == null ? each : site;
                }
            }
            where =
                    first == last
                            ? " and was in the loop on line " + first
                            : " and was in the loop of lines %d to %d".formatted(first, last);
        }
        Warp.Spin spin = warp.spinning();
        if (spin != null && !spin.site().opcode().equals("st")) {
            notes.add(new Finding.Note(spin.site(), "it looks at memory here, again and again"));
        }
        notes.add(
                new Finding.Note(
                        null,
                        "a launch says how far it may go: --timeout or --max-instructions, timeout"
                            + " or maxInstructions in a launch file, Launch.withLimits in Java"));
        return warp.faults()
                .fault(
                        Verdict.RESOURCE_EXHAUSTED,
                        "",
                        "",
                        site,
                        mask,
                        message + where,
                        notes.toArray(Finding.Note[]::new));
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
    private static BitSet loop(Code code, int block) {
        List<List<Integer>> successors = new ArrayList<>();
        List<List<Integer>> predecessors = new ArrayList<>();
        for (Block each : code.blocks()) {
            successors.add(Effects.successors(each.exit()));
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
