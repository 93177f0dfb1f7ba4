package dev.heddle.vm.advice;

/// What instructions do with memory, as hardware counters tell them apart.
public enum Operation {
    LOAD("ld"),
    STORE("st"),
    /// Of global memory one whose old value is wanted.
    ATOMIC("atom"),
    /// An atomic operation of global memory whose old value nobody wants.
    REDUCTION("red");

    private final String word;

    Operation(String word) {
        this.word = word;
    }

    /// The end of a counter's name: `_op_ld.sum`.
    String counter() {
        return "_op_" + word + ".sum";
    }

    /// Whether lanes at one word take turns.
    boolean isAtomic() {
        return this == ATOMIC || this == REDUCTION;
    }
}
