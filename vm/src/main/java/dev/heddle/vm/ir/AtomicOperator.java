package dev.heddle.vm.ir;

/// What `atom` and `red` do to a memory word (PTX ISA 9.7.13.5).
public enum AtomicOperator {
    ADD("add"),
    INCREMENT("inc"),
    DECREMENT("dec"),
    MINIMUM("min"),
    MAXIMUM("max"),
    AND("and"),
    OR("or"),
    XOR("xor"),
    EXCHANGE("exch"),
    COMPARE_AND_SWAP("cas");

    private final String qualifier;

    AtomicOperator(String qualifier) {
        this.qualifier = qualifier;
    }

    /// How instructions spell it: `exch`.
    public String qualifier() {
        return qualifier;
    }
}
