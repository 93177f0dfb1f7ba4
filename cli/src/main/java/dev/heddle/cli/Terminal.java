package dev.heddle.cli;

/// What the process writes to: the launcher says which of its streams are terminals, because
/// asking from Java takes longer than a look-up.
///
/// @param columns of the terminal that standard output is; 0 where it is none
/// @param errors whether standard error is a terminal
/// @param plain whether the user wants no colours (`NO_COLOR`, or a terminal that has none)
record Terminal(int columns, boolean errors, boolean plain) {
    /// Columns of the help where nothing says how wide the terminal is: an opcode must fit into a
    /// line.
    private static final int WIDEST = 110;

    /// picocli takes no less.
    private static final int NARROWEST = 55;

    static Terminal ofProcess() {
        String none = System.getenv("NO_COLOR");
        return new Terminal(
                Integer.getInteger("heddle.columns", 0),
                Boolean.getBoolean("heddle.terminal"),
                none != null && !none.isEmpty() || "dumb".equals(System.getenv("TERM")));
    }

    /// How wide the help is: as the terminal, or as `COLUMNS` says.
    int helpColumns() {
        int asked = columns;
        String stated = System.getenv("COLUMNS");
        if (asked == 0 && stated != null && stated.matches("[0-9]{1,4}")) {
            asked = Integer.parseInt(stated);
        }
        return asked == 0 ? WIDEST : Math.clamp(asked, NARROWEST, WIDEST);
    }
}
