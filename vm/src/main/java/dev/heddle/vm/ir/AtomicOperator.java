package dev.heddle.vm.ir;

/// What `atom` and `red` do to a memory word (PTX ISA 9.7.13.5).
public enum AtomicOperator {
    ADD,
    INCREMENT,
    DECREMENT,
    MINIMUM,
    MAXIMUM,
    AND,
    OR,
    XOR,
    EXCHANGE,
    COMPARE_AND_SWAP
}
