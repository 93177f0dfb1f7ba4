package dev.heddle.vm.sanitizer;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Party;
import dev.heddle.vm.shadow.HappensBefore;
import dev.heddle.vm.shadow.SharedShadow;
import dev.heddle.vm.state.Cluster;
import dev.heddle.vm.state.Cta;
import dev.heddle.vm.state.Warp;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Names the `.relaxed` sides of barriers between two accesses that race: who looks for the barrier
/// that is missing finds one there. Such notes stand before that of the other access.
record RelaxedSides(Warp warp) {
    /// Notes of the other side's arrival and of the own wait, mostly none.
    ///
    /// @param lane whose access it is
    /// @param cta the index of the other's
    /// @param thread the other
    /// @param clock when that had accessed the place
    List<Finding.Note> between(int lane, int cta, int thread, int clock) {
        List<Finding.Note> notes = new ArrayList<>();
        HappensBefore theirs = orderOf(cta);
        if (theirs != null) {
            int site = theirs.strong().relaxed().arrivalBehind(thread, clock);
            add(
                    notes,
                    warp.faults().party(cta, thread, site),
                    "%s arrived here behind its access, but .relaxed releases nothing: .release"
                            + " does, or a fence before it");
        }
        SharedShadow own = warp.cta().shadow();
        if (own != null) {
            int home = own.order().cta();
            int reader = warp.thread(lane);
            int site = own.order().strong().relaxed().waitFor(reader, home, cta, thread, clock);
            add(
                    notes,
                    warp.faults().party(reader, site),
                    "%s waited here for that access, but .relaxed acquires nothing: .acquire does,"
                            + " or a fence behind it");
        }
        return notes;
    }

    /// What is missing between two accesses of a CTA.
    ///
    /// @param relaxed notes of what is there
    /// @param isTogether whether lanes of one warp made both by one instruction
    static String missing(List<Finding.Note> relaxed, boolean isTogether) {
        if (isTogether) {
            return "lanes of a warp at one instruction are in no order";
        }
        return relaxed.isEmpty()
                ? "no barrier stands between them"
                : "no barrier that orders them stands between";
    }

    private static void add(List<Finding.Note> notes, Party who, String words) {
        if (who.site() != null) {
            notes.add(new Finding.Note(who.site(), words.formatted(who.name())));
        }
    }

    /// How the CTA's threads are ordered; null where no barrier of the cluster is its own.
    private @Nullable HappensBefore orderOf(int cta) {
        Cluster cluster = warp.cta().cluster();
        for (int rank = 0; rank < cluster.size(); rank++) {
            Cta each = cluster.cta(rank);
            SharedShadow shadow = each.shadow();
            if (each.index() == cta && shadow != null) {
                return shadow.order();
            }
        }
        return null;
    }
}
