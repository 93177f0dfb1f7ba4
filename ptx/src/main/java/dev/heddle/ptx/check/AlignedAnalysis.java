package dev.heddle.ptx.check;

import dev.heddle.ptx.Guard;
import dev.heddle.ptx.SourcePosition;
import dev.heddle.ptx.instruction.BoundInstruction;

import java.util.BitSet;

/// Finds `.aligned` instructions that some lanes of a warp skip for certain.
record AlignedAnalysis(Flow flow, Reporter reporter) {
    void run() {
        BitSet aligned = new BitSet();
        for (int i = 0; i < flow.size(); i++) {
            aligned.set(i, flow.instruction(i).isAligned());
        }
        if (aligned.isEmpty()) {
            return;
        }
        LaneDependence lanes = new LaneDependence(new Writes(flow));
        PostDominators meets = null;
        for (int i = 0; i < flow.size(); i++) {
            BoundInstruction instruction = flow.instruction(i);
            Guard guard = instruction.guard();
            if (guard == null || !lanes.splits(guard.predicate())) {
                continue;
            }
            if (aligned.get(i)) {
                report(
                        instruction,
                        guard.predicate().position(),
                        guard.predicate() + " differs between the lanes of a warp");
            } else if (flow.successors(i).length > 1) {
                meets = meets == null ? new PostDominators(flow) : meets;
                region(i, meets.of(i), aligned);
            }
        }
    }

    /// Reports what is between a branch that splits warps and the place where its paths meet,
    /// and one of them cannot come to. Where all can, the lanes may yet come together: compilers
    /// repeat a test that is the same for all lanes on each path.
    private void region(int branch, int meet, BitSet aligned) {
        int[] paths = flow.successors(branch);
        BitSet all = new BitSet();
        BitSet some = new BitSet();
        for (int i = 0; i < paths.length; i++) {
            BitSet path = reached(paths[i], meet);
            some.or(path);
            if (i == 0) {
                all.or(path);
            } else {
                all.and(path);
            }
        }
        some.andNot(all);
        some.and(aligned);
        for (int at = some.nextSetBit(0); at >= 0; at = some.nextSetBit(at + 1)) {
            report(
                    flow.instruction(at),
                    flow.instruction(branch).position(),
                    "lanes of one warp go different ways here");
        }
    }

    /// The instructions on the ways from one to another, that one excluded.
    private BitSet reached(int from, int meet) {
        BitSet seen = new BitSet();
        int[] work = new int[flow.size() + 1];
        int top = 0;
        if (from != meet && from < flow.size()) {
            seen.set(from);
            work[top++] = from;
        }
        while (top > 0) {
            for (int next : flow.successors(work[--top])) {
                if (next != meet && next < flow.size() && !seen.get(next)) {
                    seen.set(next);
                    work[top++] = next;
                }
            }
        }
        return seen;
    }

    private void report(BoundInstruction instruction, SourcePosition cause, String why) {
        Problem problem = Problem.of("aligned-under-divergence", instruction);
        reporter.report(problem.because(cause, why), instruction.section());
    }
}
