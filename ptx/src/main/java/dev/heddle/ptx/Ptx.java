package dev.heddle.ptx;

/// The entry to PTX text.
public final class Ptx {

    private Ptx() {}

    /// Parses a whole module. Never fails: what cannot be read becomes diagnostics, and the module
    /// holds the rest.
    ///
    /// @param text the PTX text
    /// @param file the name that messages use
    public static Parsed parse(String text, String file) {
        return new ModuleParser(new SourceText(file, text)).parse();
    }

    /// One operand as PTX text.
    public static String print(Operand operand) {
        return OperandPrinter.text(operand);
    }
}
