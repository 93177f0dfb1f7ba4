package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

/// What the directives of a kernel demand of its launches (PTX ISA 11.4, 11.7).
///
/// @param block of `.reqntid`: the extents of every CTA
/// @param threads of `.maxntid`: of a CTA at most
/// @param cluster of `.reqnctapercluster`: the extents of every cluster
/// @param ranks of `.maxclusterrank`: CTAs of a cluster at most
/// @param explicitCluster whether `.explicitcluster` asks for a cluster
/// @param registers of `.maxnreg`: of a thread at most as a launch begins; 0 where it is not said
public record LaunchBounds(
        @Nullable Extent block,
        long threads,
        @Nullable Extent cluster,
        long ranks,
        boolean explicitCluster,
        int registers) {}
