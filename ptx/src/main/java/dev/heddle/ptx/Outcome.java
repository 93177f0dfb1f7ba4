package dev.heddle.ptx;

/// What a finding means for the module that holds it.
public enum Outcome {
    /// An assembler would reject the module.
    INVALID("invalid"),
    /// The assembler accepts it and the manual leaves the behaviour undefined.
    UNDEFINED_BEHAVIOR("undefined behavior"),
    /// Correct, and a better way exists.
    ADVICE("advice");

    private final String words;

    Outcome(String words) {
        this.words = words;
    }

    /// The word that opens a message.
    public String words() {
        return words;
    }
}
