package dev.heddle.programs.fatbin;

import java.util.List;
import java.util.stream.Collectors;

/// One module out of those of a program that was compiled with `-rdc=true`, as the device linker
/// makes one of them: functions and variables of one are there for all.
public final class LinkedText {
    private LinkedText() {}

    /// The text of one module that holds all of several.
    ///
    /// @param texts of modules for one target
    public static String of(List<String> texts) {
        if (texts.size() == 1) {
            return texts.getFirst();
        }
        StringBuilder linked = new StringBuilder(texts.getFirst());
        for (String text : texts.subList(1, texts.size())) {
            linked.append('\n')
                    .append(
                            text.lines()
                                    .filter(line -> !isHeader(line))
                                    .collect(Collectors.joining("\n")));
        }
        return linked.append('\n').toString();
    }

    private static boolean isHeader(String line) {
        return line.startsWith(".version")
                || line.startsWith(".target")
                || line.startsWith(".address_size");
    }
}
