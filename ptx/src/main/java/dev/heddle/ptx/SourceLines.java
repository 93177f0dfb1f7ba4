package dev.heddle.ptx;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Which line of the source each line of a module came from, by its `.loc` and `.file` directives
/// (PTX ISA 11.5).
public final class SourceLines {
    /// Of more places on the way to the kernel's own line those between are left out.
    private static final int MOST_PLACES = 3;

    private static final String INLINED_AT = ", inlined at ";

    private final Map<Integer, String> files = new HashMap<>();
    private final TreeMap<Integer, Place> places = new TreeMap<>();

    private SourceLines() {}

    /// A line of the source.
    ///
    /// @param caller where its function was inlined, or null
    private record Place(String line, @Nullable Place caller) {
        private static final Place NOWHERE = new Place("", null);

        @Override
        public String toString() {
            List<String> all = new ArrayList<>();
            for (Place at = this; at != null; at = at.caller) {
                all.add(at.line);
            }
            if (all.size() > MOST_PLACES) {
                all.subList(MOST_PLACES - 1, all.size() - 1).clear();
                all.add(MOST_PLACES - 1, "...");
            }
            return String.join(INLINED_AT, all);
        }
    }

    /// A place in a file, by numbers.
    private record Point(int file, int line, int column) {}

    /// Of a module; of one without `.loc`, nothing is known.
    public static SourceLines of(Module module) {
        SourceLines lines = new SourceLines();
        for (ModuleItem.SourceFile file : module.files()) {
            lines.files.put(file.index(), file.name());
        }
        for (ModuleItem item : module.items()) {
            lines.places.put(item.position().line(), Place.NOWHERE);
            if (item instanceof Function function && function.body() != null) {
                lines.walk(function.body(), new HashMap<>());
            }
        }
        return lines;
    }

    private void walk(Statement.Block block, Map<Point, Place> callers) {
        for (Statement statement : block.statements()) {
            if (statement instanceof Statement.Block inner) {
                walk(inner, callers);
            } else if (statement instanceof Statement.Location location && location.line() != 0) {
                Point point = new Point(location.file(), location.line(), location.column());
                Place place = new Place(line(point), caller(location.inlined(), callers));
                callers.put(point, place);
                places.put(location.position().line(), place);
            }
        }
    }

    /// Where the function of a line was inlined. An assembler wants a `.loc` of that place before.
    private @Nullable Place caller(Statement.@Nullable Inlined inlined, Map<Point, Place> callers) {
        if (inlined == null) {
            return null;
        }
        Point point = new Point(inlined.file(), inlined.line(), inlined.column());
        Place known = callers.get(point);
        return known == null ? new Place(line(point), null) : known;
    }

    // Not by a format string: the first %d of a process reads all there is on locales.
    private String line(Point point) {
        return files.get(point.file) + ":" + point.line;
    }

    /// The places that [#at] tells as one text, the innermost first.
    public static List<String> places(String text) {
        return List.of(text.split(INLINED_AT, -1));
    }

    /// The place in force at a line of the module, empty where none is: `kernel.cu:5`, or
    /// `kernel.cu:5, inlined at kernel.cu:9`. Line 0 names no place.
    public String at(int line) {
        Map.Entry<Integer, Place> last = places.floorEntry(line);
        return last == null ? "" : last.getValue().toString();
    }
}
