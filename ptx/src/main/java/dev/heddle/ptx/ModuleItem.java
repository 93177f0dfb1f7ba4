package dev.heddle.ptx;

import java.util.List;

/// What is at the outermost level of a module.
public sealed interface ModuleItem
        permits Variable,
                Function,
                Statement.Pragma,
                ModuleItem.SourceFile,
                ModuleItem.Section,
                ModuleItem.Alias,
                ModuleItem.Retarget {

    /// Where it begins.
    SourcePosition position();

    /// `.file`: a source file that `.loc` names by its index (11.5.3).
    ///
    /// @param index its number
    /// @param name its path
    /// @param timestamp of last modification, 0 where not given
    /// @param size in bytes, 0 where not given
    /// @param position where the directive is
    record SourceFile(int index, String name, long timestamp, long size, SourcePosition position)
            implements ModuleItem {}

    /// `.section`: debugging data (11.5.2), kept as written.
    ///
    /// @param name with its dot
    /// @param lines labels (`name:`) and data (`.b8 1, 2`), one text each
    /// @param position where the directive is
    record Section(String name, List<String> lines, SourcePosition position) implements ModuleItem {
        public Section {
            lines = List.copyOf(lines);
        }
    }

    /// `.alias` (11.2.3).
    ///
    /// @param name the new name
    /// @param aliasee the function it stands for
    /// @param position where the directive is
    record Alias(String name, String aliasee, SourcePosition position) implements ModuleItem {}

    /// A `.target` after the first (11.1.2).
    ///
    /// @param target from here on
    /// @param position where the directive is
    record Retarget(TargetDirective target, SourcePosition position) implements ModuleItem {}
}
