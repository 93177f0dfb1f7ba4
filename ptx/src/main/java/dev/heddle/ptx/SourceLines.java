package dev.heddle.ptx;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Which line of the source each line of a module came from, by its `.loc` and `.file` directives
/// (PTX ISA 11.5).
public final class SourceLines {
    private final Map<Integer, String> files = new HashMap<>();
    private final TreeMap<Integer, String> places = new TreeMap<>();

    private SourceLines() {}

    /// Of a module; of one without `.loc`, nothing is known.
    public static SourceLines of(Module module) {
        SourceLines lines = new SourceLines();
        for (ModuleItem.SourceFile file : module.files()) {
            lines.files.put(file.index(), file.name());
        }
        for (ModuleItem item : module.items()) {
            lines.places.put(item.position().line(), "");
            if (item instanceof Function function && function.body() != null) {
                lines.walk(function.body());
            }
        }
        return lines;
    }

    private void walk(Statement.Block block) {
        for (Statement statement : block.statements()) {
            if (statement instanceof Statement.Block inner) {
                walk(inner);
            } else if (statement instanceof Statement.Location location && location.line() != 0) {
                places.put(location.position().line(), place(location));
            }
        }
    }

    /// A `.loc` in words: `kernel.cu:5`, or `kernel.cu:5, inlined at kernel.cu:9`. Line 0 names
    /// no place.
    public String place(Statement.Location location) {
        String place = files.get(location.file()) + ":" + location.line();
        Statement.Inlined inlined = location.inlined();
        // Not by a format string: the first %d of a process reads all there is on locales.
        return inlined == null
                ? place
                : place + ", inlined at " + files.get(inlined.file()) + ":" + inlined.line();
    }

    /// The place in force at a line of the module, empty where none is.
    public String at(int line) {
        Map.Entry<Integer, String> last = places.floorEntry(line);
        return last == null ? "" : last.getValue();
    }
}
