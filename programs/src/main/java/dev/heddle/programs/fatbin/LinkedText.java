package dev.heddle.programs.fatbin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One module out of those of a program that was compiled with `-rdc=true`, as the device linker
/// makes one of them: functions and variables of one are there for all. What several may define
/// (`.weak`, `.common`) is there once, as the definition that prevails says; what each has for
/// itself has a name for each.
public final class LinkedText {
    private static final Pattern FILE =
            Pattern.compile("(?m)(^\\s*\\.(?:file|loc)\\s+|\\binlined_at\\s+)(\\d+)");

    private final List<String> statements = new ArrayList<>();
    private final Map<String, Definition> definitions = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private int modules;
    private int files;

    private LinkedText() {}

    /// The definition of a symbol so far.
    ///
    /// @param place among all statements
    private record Definition(ModuleStatement statement, int place) {}

    /// The text of one module that holds all of several.
    ///
    /// @param texts of modules for one target
    public static String of(List<String> texts) {
        if (texts.size() == 1) {
            return texts.getFirst();
        }
        LinkedText linked = new LinkedText();
        List<List<ModuleStatement>> all =
                texts.stream().map(linked::numbered).map(ModuleStatement::of).toList();
        for (List<ModuleStatement> module : all) {
            module.stream()
                    .filter(each -> !each.isInternal())
                    .forEach(each -> linked.taken.add(each.name()));
        }
        all.forEach(linked::add);
        return String.join("", linked.statements) + "\n";
    }

    private void add(List<ModuleStatement> module) {
        Map<String, String> names = new HashMap<>();
        for (ModuleStatement each : module) {
            if (each.isInternal() && each.isDefinition() && !taken.add(each.name())) {
                names.put(each.name(), "%s$module%d".formatted(each.name(), modules));
            }
        }
        module.stream().map(each -> each.renamed(names)).forEach(this::add);
        statements.add("\n");
        modules++;
    }

    /// With numbers of files that no module before has.
    private String numbered(String text) {
        int before = files;
        return FILE.matcher(text)
                .replaceAll(
                        found -> {
                            int number = before + Integer.parseInt(found.group(2));
                            files = Math.max(files, number);
                            return Matcher.quoteReplacement(found.group(1) + number);
                        });
    }

    private void add(ModuleStatement statement) {
        Definition before = definitions.get(statement.name());
        if (before != null && statement.isDefinition() && statement.mayStandFor(before.statement)) {
            if (statement.prevailsOver(before.statement)) {
                // its own place: what it uses stands before it
                statements.set(before.place, statement.declaration());
                define(statement);
            }
        } else if (modules == 0 || !statement.isHeader()) {
            define(statement);
        }
    }

    private void define(ModuleStatement statement) {
        if (statement.isDefinition()) {
            definitions.put(statement.name(), new Definition(statement, statements.size()));
        }
        statements.add(statement.text());
    }
}
