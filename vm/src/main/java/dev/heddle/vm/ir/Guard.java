package dev.heddle.vm.ir;

/// The predicate before a step.
///
/// @param predicate the register
/// @param negated whether the step runs where it is false
public record Guard(Register predicate, boolean negated) {}
