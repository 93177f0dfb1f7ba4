package dev.heddle.conformance.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Makes a kernel on which two machines differ as small as it can, by leaving lines out.
///
/// Only lines of its own statements are left out, not those that address its memory or count its
/// loops: no smaller kernel runs longer than the whole one or reaches other memory.
///
/// @param differs whether the machines differ on a kernel; false where it does not assemble
record KernelReducer(Predicate<RandomKernel> differs) {
    private static final Pattern KEPT = Pattern.compile("%[ntuvy]\\b|%n\\d|LOOP|@%q bra|bar[.]");

    /// The smallest kernel found: without any one line more the machines agree.
    RandomKernel reduce(RandomKernel kernel) {
        RandomKernel smallest = kernel;
        int chunk = kernel.body().size();
        while (chunk > 0) {
            RandomKernel smaller = pass(smallest, chunk);
            if (smaller.body().size() == smallest.body().size()) {
                chunk /= 2;
            }
            smallest = smaller;
        }
        return smallest;
    }

    private RandomKernel pass(RandomKernel kernel, int chunk) {
        RandomKernel smallest = kernel;
        for (int at = kernel.body().size() - chunk; at > -chunk; at -= chunk) {
            List<String> body = smallest.body();
            List<String> left = new ArrayList<>();
            for (int line = 0; line < body.size(); line++) {
                if (line < at || line >= at + chunk || isKept(body.get(line))) {
                    left.add(body.get(line));
                }
            }
            if (left.size() < body.size()) {
                RandomKernel candidate = smallest.withBody(left);
                if (differs.test(candidate)) {
                    smallest = candidate;
                }
            }
        }
        return smallest;
    }

    /// What ends loops, makes addresses and lets threads meet.
    static boolean isKept(String line) {
        return KEPT.matcher(line).find();
    }
}
