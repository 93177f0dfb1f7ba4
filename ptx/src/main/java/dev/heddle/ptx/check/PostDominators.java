package dev.heddle.ptx.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// The immediate post-dominator of every instruction: where the paths behind it meet again.
///
/// After Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed flow.
final class PostDominators {

    private final int[] immediate;

    PostDominators(Flow flow) {
        int end = flow.size();
        List<List<Integer>> predecessors = new ArrayList<>();
        for (int i = 0; i <= end; i++) {
            predecessors.add(new ArrayList<>());
        }
        for (int i = 0; i < end; i++) {
            for (int next : flow.successors(i)) {
                predecessors.get(next).add(i);
            }
        }
        int[] order = new int[end + 1];
        int[] number = new int[end + 1];
        Arrays.fill(number, -1);
        int count = postOrder(end, predecessors, order, number);
        immediate = new int[end + 1];
        Arrays.fill(immediate, -1);
        immediate[end] = end;
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int k = count - 1; k >= 0; k--) {
                int node = order[k];
                if (node == end) {
                    continue;
                }
                int meet = -1;
                for (int next : flow.successors(node)) {
                    if (number[next] >= 0 && immediate[next] >= 0) {
                        meet = meet < 0 ? next : intersect(meet, next, number);
                    }
                }
                if (meet >= 0 && immediate[node] != meet) {
                    immediate[node] = meet;
                    changed = true;
                }
            }
        }
    }

    private static int postOrder(int root, List<List<Integer>> next, int[] order, int[] number) {
        int count = 0;
        int[] stack = new int[order.length];
        int[] child = new int[order.length];
        BitSet seen = new BitSet();
        int top = 0;
        stack[0] = root;
        seen.set(root);
        while (top >= 0) {
            int node = stack[top];
            List<Integer> children = next.get(node);
            if (child[node] < children.size()) {
                int to = children.get(child[node]++);
                if (!seen.get(to)) {
                    seen.set(to);
                    stack[++top] = to;
                }
            } else {
                number[node] = count;
                order[count++] = node;
                top--;
            }
        }
        return count;
    }

    private int intersect(int a, int b, int[] number) {
        int one = a;
        int other = b;
        while (one != other) {
            while (number[one] < number[other]) {
                one = immediate[one];
            }
            while (number[other] < number[one]) {
                other = immediate[other];
            }
        }
        return one;
    }

    /// Where the paths behind an instruction meet; -1 where it never reaches the end.
    int of(int instruction) {
        return immediate[instruction];
    }
}
