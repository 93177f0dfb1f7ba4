package dev.heddle.vm.sanitizer;

import dev.heddle.vm.shadow.GlobalAccess;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.GlobalStamp;
import dev.heddle.vm.shadow.StrongAccesses;

import org.jspecify.annotations.Nullable;

/// What is followed of global memory in a launch.
///
/// @param shadow of all its CTAs
/// @param stamps of its accesses
/// @param accesses of one warp
/// @param unawaited what its CTA may still write
/// @param strong what its CTA hands over, or null where nobody asks
record WatchedGlobal(
        GlobalShadow shadow,
        GlobalStamp stamps,
        GlobalAccess accesses,
        UnawaitedWrites unawaited,
        @Nullable StrongAccesses strong) {}
