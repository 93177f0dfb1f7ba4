package dev.heddle.vm.report;

import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.Verdict;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Something a kernel did that it must not do.
///
/// @param rule what it broke
/// @param section of PTX ISA 9.1 that states the rule here; empty where the manual does not
/// @param site the instruction, or null where no single one is to blame
/// @param message what happened, with the values
/// @param where the lanes that did it, or null
/// @param notes earlier places that caused it
/// @param count how often it was found; 1 where the first ended the launch
public record Finding(
        Rule rule,
        String section,
        @Nullable Site site,
        String message,
        @Nullable Where where,
        List<Note> notes,
        long count) {
    public Finding {
        notes = List.copyOf(notes);
    }

    /// Found once.
    public Finding(
            Rule rule,
            String section,
            @Nullable Site site,
            String message,
            @Nullable Where where,
            List<Note> notes) {
        this(rule, section, site, message, where, notes, 1);
    }

    /// The same, found so often.
    public Finding times(long often) {
        return new Finding(rule, section, site, message, where, notes, often);
    }

    /// The same with other notes.
    public Finding with(List<Note> others) {
        return new Finding(rule, section, site, message, where, others, count);
    }

    /// The same with one more note, behind the others.
    Finding with(Note last) {
        List<Note> all = new ArrayList<>(notes);
        all.add(last);
        return with(all);
    }

    /// The same of a rule.
    public Finding as(Rule other) {
        return rule == other
                ? this
                : new Finding(other, other.section(), site, message, where, notes, count);
    }

    /// The last place of its notes: in a race, what the other side executed.
    public @Nullable Site otherSite() {
        Site other = null;
        for (Note note : notes) {
            other = note.site() == null ? other : note.site();
        }
        return other;
    }

    /// A finding about a launch as a whole.
    public static Finding ofLaunch(Rule rule, String message) {
        return new Finding(rule, rule.section(), null, message, null, List.of());
    }

    /// Whose fault it is.
    public Verdict verdict() {
        return rule.verdict();
    }

    /// Lanes of a warp.
    ///
    /// @param x of the CTA
    /// @param y of the CTA
    /// @param z of the CTA
    /// @param warp in the CTA
    /// @param lanes as a mask
    /// @param block threads of a CTA in each direction
    public record Where(int x, int y, int z, int warp, int lanes, Extent block) {
        @Override
        public String toString() {
            return "CTA (%d,%d,%d), warp %d, %s: %s"
                    .formatted(x, y, z, warp, LaneText.describe(lanes), threads());
        }

        /// The threads by their `%tid`: `threads (0,0,0) to (31,0,0)`.
        public String threads() {
            List<Integer> numbers = new ArrayList<>();
            for (int rest = lanes; rest != 0; rest &= rest - 1) {
                int number = 32 * warp + Integer.numberOfTrailingZeros(rest);
                if (number < block.count()) {
                    numbers.add(number);
                }
            }
            return Party.threads(numbers, block);
        }
    }

    /// A second place.
    ///
    /// @param site the instruction, or null
    /// @param message what happened there
    public record Note(@Nullable Site site, String message) {
        /// Not more notes than this, and how many there are besides.
        public static List<Note> first(int most, List<Note> all) {
            if (all.size() <= most) {
                return all;
            }
            List<Note> some = new ArrayList<>(all.subList(0, most));
            some.add(new Note(null, "and %,d more like these".formatted(all.size() - most)));
            return some;
        }

        /// `race.ptx:50:2: note: read here by thread (63,0,0) (source: race.cu:9)`.
        private String text() {
            if (site == null) {
                return "note: " + message;
            }
            String source = site.source() == null ? "" : " (source: " + site.source() + ")";
            return site.position() + ": note: " + message + source;
        }
    }

    /// The message as people read it; the line of text is looked up by the caller.
    ///
    /// @param lines gives the text of a line of the PTX file
    public String text(java.util.function.IntFunction<String> lines) {
        StringBuilder text = new StringBuilder();
        String place = site == null ? "" : site.position() + ": ";
        text.append(place).append(verdict().words()).append(": ").append(message).append('\n');
        if (site != null) {
            int line = site.position().line();
            text.append("%5d | %s%n".formatted(line, lines.apply(line).strip()));
            if (site.source() != null) {
                text.append("source: ").append(site.source()).append('\n');
            }
        }
        if (where != null) {
            text.append("in ").append(where).append('\n');
        }
        if (count > 1) {
            text.append("found %,d times; this is the first%n".formatted(count));
        }
        for (Note note : notes) {
            text.append(note.text()).append('\n');
        }
        text.append("rule: ").append(rule.id());
        text.append(section.isEmpty() ? "" : ", PTX ISA " + section).append('\n');
        return text.append(rule.fault()).append('\n').toString();
    }
}
