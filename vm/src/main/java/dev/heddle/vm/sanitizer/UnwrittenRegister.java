package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Site;
import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.LaneText;
import dev.heddle.vm.state.Frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Says that lanes read a register which they never wrote.
///
/// @param name of the register
/// @param writers the instructions that write it
/// @param wrote the lanes that have written it
record UnwrittenRegister(String name, Set<Site> writers, int wrote) {
    private static final int MOST_NOTES = 3;

    /// What happened.
    ///
    /// @param part what else there is to say of the lanes
    String message(Site site, int lanes, String part) {
        return "%s reads %s, which %s never wrote%s"
                .formatted(site.mnemonic(), name, LaneText.describe(lanes), part);
    }

    /// Where it is written.
    List<Finding.Note> notes(Frame frame) {
        if (writers.isEmpty()) {
            return List.of(
                    new Finding.Note(
                            null, "nothing in " + frame.code.sourceName() + " writes " + name));
        }
        String who =
                writers.size() == 1 && wrote != 0
                        ? " is written here, by " + LaneText.describe(wrote) + " only"
                        : " is written here";
        List<Finding.Note> notes = new ArrayList<>();
        for (Site writer : writers) {
            notes.add(new Finding.Note(writer, name + who));
        }
        return Finding.Note.first(MOST_NOTES, notes);
    }
}
