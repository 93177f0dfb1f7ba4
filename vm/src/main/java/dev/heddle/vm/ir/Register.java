package dev.heddle.vm.ir;

/// A virtual register.
///
/// @param index in its file
/// @param bits of the declared type: 1, 8, 16, 32 or 64
/// @param name as PTX declares it; starts with `$` for a temporary of the lowering
public record Register(int index, int bits, String name) implements Source {

    @Override
    public Width width() {
        return bits == 1 ? Width.PREDICATE : bits <= 32 ? Width.WORD : Width.LONG;
    }

    @Override
    public String toString() {
        return name;
    }
}
