package dev.heddle.ptx;

/// Leaves a statement that cannot be read, to go on behind it. The diagnostic is in the findings
/// already.
final class SyntaxError extends Exception {

    private static final long serialVersionUID = 1;

    SyntaxError() {
        super("syntax error", null, false, false);
    }
}
