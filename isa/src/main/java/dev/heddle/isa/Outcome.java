package dev.heddle.isa;

/// What a broken rule means.
public enum Outcome {
    /// An assembler rejects the code.
    INVALID("invalid"),
    /// The manual leaves the behaviour undefined.
    UNDEFINED("undefined behavior"),
    /// The manual leaves the result to the implementation.
    UNSPECIFIED("unspecified"),
    /// Legal, but not what the manual advises.
    ADVICE("advice");

    private final String words;

    Outcome(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
