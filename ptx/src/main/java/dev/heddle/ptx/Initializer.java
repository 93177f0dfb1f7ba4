package dev.heddle.ptx;

import java.util.List;

/// The initial value of a variable (PTX ISA 5.4.4).
public sealed interface Initializer {

    /// Where it begins.
    SourcePosition position();

    /// A constant.
    ///
    /// @param value its value
    /// @param position where its expression begins
    record Value(Constant value, SourcePosition position) implements Initializer {}

    /// The address of a variable or function: `mask(generic(name + offset))`.
    ///
    /// @param name the symbol
    /// @param generic whether the generic address is taken
    /// @param offset bytes added
    /// @param mask the byte of the address to keep, as the manual's mask; 0 keeps the whole address
    /// @param position where it begins
    record AddressOf(String name, boolean generic, long offset, long mask, SourcePosition position)
            implements Initializer {}

    /// A byte taken out of a constant: `0xFF00(131187)`.
    ///
    /// @param mask which byte
    /// @param value the constant
    /// @param position where it begins
    record Masked(long mask, Constant value, SourcePosition position) implements Initializer {}

    /// A list in braces.
    ///
    /// @param elements in order
    /// @param position where the brace opens
    record Aggregate(List<Initializer> elements, SourcePosition position) implements Initializer {
        public Aggregate {
            elements = List.copyOf(elements);
        }
    }
}
