package dev.heddle.ptx;

/// The predicate before an instruction: `@p` or `@!p` (PTX ISA 4.3.2).
///
/// @param predicate the register
/// @param negated whether the instruction runs where it is false
public record Guard(Operand.Register predicate, boolean negated) {}
