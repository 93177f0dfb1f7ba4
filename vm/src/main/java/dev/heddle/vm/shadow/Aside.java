package dev.heddle.vm.shadow;

/// What stands for an asynchronous operation in the order of events, beside the thread that began
/// it: who has waited for the operation knows its clock.
///
/// @param cta the index of the CTA whose thread it is
/// @param thread one behind those of the CTA
/// @param clock of the operation
/// @param group the clock of the first operation of its bulk group, or its own
public record Aside(int cta, int thread, int clock, int group) {}
