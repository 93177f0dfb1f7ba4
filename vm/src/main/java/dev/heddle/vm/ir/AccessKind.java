package dev.heddle.vm.ir;

/// What an access does to the memory that it names.
public enum AccessKind {
    LOAD("load"),
    STORE("store"),
    /// `atom` and `red`: reads and writes as one.
    ATOMIC("atomic operation"),
    /// An operation on an mbarrier object.
    BARRIER("mbarrier operation");

    private final String words;

    AccessKind(String words) {
        this.words = words;
    }

    /// Whether it takes what is there.
    public boolean reads() {
        return this != STORE;
    }

    /// Whether it changes what is there.
    public boolean writes() {
        return this != LOAD;
    }

    /// As findings call it.
    @Override
    public String toString() {
        return words;
    }
}
