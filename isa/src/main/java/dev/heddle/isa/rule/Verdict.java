package dev.heddle.isa.rule;

/// What a broken rule means, and whose fault it is.
public enum Verdict {
    /// An assembler rejects the code.
    INVALID(Severity.ERROR, "invalid", "an assembler rejects this"),
    /// The manual calls it undefined: a bug in the kernel.
    UNDEFINED_BEHAVIOR(
            Severity.ERROR,
            "undefined behavior",
            "this is a bug in the kernel: hardware may do anything here"),
    /// Lanes wait for something that cannot come.
    DEADLOCK(Severity.ERROR, "deadlock", "no lane can go on: a GPU would hang here"),
    /// A limit of the launch was reached.
    RESOURCE_EXHAUSTED(
            Severity.ERROR, "resource exhausted", "raise the limit if the kernel is right"),
    /// `trap` or `brkpt` was executed.
    TRAP(Severity.ERROR, "trap", "the kernel asked for this"),
    /// A device assertion does not hold.
    ASSERTION_FAILED(Severity.ERROR, "assertion failed", "the kernel asked for this"),
    /// A gap of this machine.
    UNSUPPORTED(
            Severity.ERROR, "unsupported", "this is a gap in the machine, not a bug in the kernel"),
    /// The manual allows it, and it does not do what the kernel counts on.
    WARNING(
            Severity.WARNING,
            "warning",
            "no rule is broken: the order that the kernel counts on is nowhere asked for"),
    /// Undefined by the letter, without effect.
    NOTE(Severity.NOTE, "note", "the result is the same either way: nothing has to be changed"),
    /// Legal, but not what the manual advises.
    ADVICE(Severity.WARNING, "advice", "the kernel is legal as it is");

    private final Severity severity;
    private final String words;
    private final String fault;

    Verdict(Severity severity, String words, String fault) {
        this.severity = severity;
        this.words = words;
        this.fault = fault;
    }

    /// How much it matters.
    public Severity severity() {
        return severity;
    }

    /// The words that open a message.
    public String words() {
        return words;
    }

    /// Whose fault it is, in one line.
    public String fault() {
        return fault;
    }

    @Override
    public String toString() {
        return words;
    }
}
