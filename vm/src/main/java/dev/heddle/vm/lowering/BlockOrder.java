package dev.heddle.vm.lowering;

import dev.heddle.vm.ir.Block;
import dev.heddle.vm.ir.Exit;
import dev.heddle.vm.ir.Step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/// Numbers blocks in reverse post-order and drops those no lane can reach. Chains of plain jumps
/// into a block with one predecessor are merged.
final class BlockOrder {
    /// Steps of a block. More than the longest loops of real kernels, few enough for a class.
    private static final int MOST_STEPS = 1_000;

    private final List<DraftBlock> drafts;
    private int[] numbers = {};
    private final List<Integer> order = new ArrayList<>();

    BlockOrder(List<DraftBlock> drafts) {
        this.drafts = drafts;
        for (DraftBlock draft : drafts) {
            if (draft.exit == null) {
                draft.exit = new Exit.Return(null, null, -1);
            }
        }
        merge();
        for (DraftBlock draft : reachable()) {
            cut(draft);
        }
        sort();
        numbers = new int[drafts.size()];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < order.size(); i++) {
            numbers[order.get(i)] = i;
        }
    }

    private static Exit exitOf(DraftBlock draft) {
        if (draft.exit == null) {
            throw new IllegalStateException("block " + draft.number + " has no exit");
        }
        return draft.exit;
    }

    private void merge() {
        int[] predecessors = new int[drafts.size()];
        predecessors[0] = 1;
        for (DraftBlock draft : reachable()) {
            for (int successor : exitOf(draft).successors()) {
                predecessors[successor]++;
            }
        }
        BitSet gone = new BitSet();
        for (DraftBlock draft : reachable()) {
            while (!gone.get(draft.number)
                    && exitOf(draft) instanceof Exit.Jump(var site, int target)
                    && target != draft.number
                    && predecessors[target] == 1
                    && !(exitOf(drafts.get(target)) instanceof Exit.Synchronize)) {
                DraftBlock merged = drafts.get(target);
                gone.set(target);
                if (site != null) {
                    draft.steps.add(new Step.Hint(site, null));
                }
                draft.steps.addAll(merged.steps);
                draft.exit = merged.exit;
            }
        }
    }

    /// Cuts a long block between two instructions: a class file has bounds, and limits of a launch
    /// are asked from block to block.
    private void cut(DraftBlock draft) {
        List<Step> steps = List.copyOf(draft.steps);
        if (steps.size() <= MOST_STEPS) {
            return;
        }
        draft.steps.clear();
        DraftBlock part = draft;
        for (Step step : steps) {
            if (part.steps.size() >= MOST_STEPS && !isOneInstruction(part.steps.getLast(), step)) {
                DraftBlock behind = new DraftBlock(drafts.size());
                drafts.add(behind);
                behind.exit = part.exit;
                behind.place = part.place;
                part.exit = new Exit.Jump(null, behind.number);
                part = behind;
            }
            part.steps.add(step);
        }
    }

    private static boolean isOneInstruction(Step a, Step b) {
        return a.site().number() == b.site().number();
    }

    private List<DraftBlock> reachable() {
        List<DraftBlock> found = new ArrayList<>();
        BitSet seen = new BitSet();
        Deque<Integer> work = new ArrayDeque<>(List.of(0));
        seen.set(0);
        while (!work.isEmpty()) {
            DraftBlock draft = drafts.get(work.pop());
            found.add(draft);
            for (int successor : exitOf(draft).successors()) {
                if (!seen.get(successor)) {
                    seen.set(successor);
                    work.push(successor);
                }
            }
        }
        return found;
    }

    /// Depth first without recursion. The successor that is last in the text is visited first,
    /// finishes first and so gets the larger number: a loop's body is before what follows the
    /// loop.
    private void sort() {
        BitSet seen = new BitSet();
        Deque<int[]> path = new ArrayDeque<>();
        seen.set(0);
        path.push(new int[] {0, 0});
        while (!path.isEmpty()) {
            int[] top = path.getFirst();
            List<Integer> successors = latestFirst(exitOf(drafts.get(top[0])));
            if (top[1] == successors.size()) {
                order.add(top[0]);
                path.pop();
                continue;
            }
            int successor = successors.get(top[1]++);
            if (!seen.get(successor)) {
                seen.set(successor);
                path.push(new int[] {successor, 0});
            }
        }
        Collections.reverse(order);
    }

    private List<Integer> latestFirst(Exit exit) {
        List<Integer> found = new ArrayList<>(exit.successors());
        found.sort((a, b) -> Integer.compare(drafts.get(b).place, drafts.get(a).place));
        return found;
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            DraftBlock draft = drafts.get(order.get(i));
            blocks.add(new Block(i, draft.steps, renumber(exitOf(draft))));
        }
        return blocks;
    }

    private int renumber(int draft) {
        return draft < 0 ? -1 : numbers[draft];
    }

    private Exit renumber(Exit exit) {
        return switch (exit) {
            case Exit.Jump(var site, int target) -> new Exit.Jump(site, renumber(target));
            case Exit.Branch(var site, var guard, int taken, int next, boolean uniform) ->
                    new Exit.Branch(site, guard, renumber(taken), renumber(next), uniform);
            case Exit.IndexedBranch(var site, var guard, var index, var targets, int next) ->
                    new Exit.IndexedBranch(
                            site,
                            guard,
                            index,
                            targets.stream().map(this::renumber).toList(),
                            renumber(next));
            case Exit.Call call ->
                    new Exit.Call(
                            call.site(),
                            call.guard(),
                            call.callee(),
                            call.address(),
                            call.builtin(),
                            call.arguments(),
                            call.results(),
                            renumber(call.next()));
            case Exit.Return(var site, var guard, int next) ->
                    new Exit.Return(site, guard, renumber(next));
            case Exit.ThreadExit(var site, var guard, int next) ->
                    new Exit.ThreadExit(site, guard, renumber(next));
            case Exit.Trap(var site, var guard, int next) ->
                    new Exit.Trap(site, guard, renumber(next));
            case Exit.Synchronize(var site, var guard, var joint, int next) ->
                    new Exit.Synchronize(site, guard, joint, renumber(next));
        };
    }
}
