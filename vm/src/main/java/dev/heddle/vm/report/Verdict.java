package dev.heddle.vm.report;

/// Whose fault a finding is.
public enum Verdict {
    /// The manual calls it undefined: a bug in the kernel.
    UNDEFINED_BEHAVIOR(
            "undefined behavior", "this is a bug in the kernel: hardware may do anything here"),
    /// A gap of this machine.
    UNSUPPORTED("unsupported", "this is a gap in the machine, not a bug in the kernel"),
    /// Lanes wait for something that cannot come.
    DEADLOCK("deadlock", "no lane can go on: a GPU would hang here"),
    /// A limit of the launch was reached.
    RESOURCE_EXHAUSTED("resource exhausted", "raise the limit if the kernel is right"),
    /// `trap` or `brkpt` was executed.
    TRAP("trap", "the kernel asked for this"),
    /// A device assertion does not hold.
    ASSERTION_FAILED("assertion failed", "the kernel asked for this");

    private final String words;
    private final String fault;

    Verdict(String words, String fault) {
        this.words = words;
        this.fault = fault;
    }

    /// The words that open a message.
    public String words() {
        return words;
    }

    /// Whose fault it is, in one line.
    public String fault() {
        return fault;
    }
}
