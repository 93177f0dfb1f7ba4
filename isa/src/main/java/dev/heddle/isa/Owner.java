package dev.heddle.isa;

/// A place in the registers of a warp or warpgroup.
///
/// @param lane    the thread, 0..31; 0..127 in a warpgroup (`warp * 32 + %laneid`)
/// @param element `i` of the manual's `ai`, `bi`, `ci`
public record Owner(int lane, int element) {}
