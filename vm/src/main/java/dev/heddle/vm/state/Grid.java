package dev.heddle.vm.state;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.ProductPaths;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.shadow.GlobalShadow;
import dev.heddle.vm.shadow.OrderedMemory;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// One launch: what all its CTAs share and nothing changes while they run.
///
/// @param program with the kernel
/// @param kernel the code the launch starts
/// @param shape how its threads are arranged
/// @param parameters the kernel's parameter space
/// @param global device memory
/// @param shared how much shared memory a CTA has
/// @param checks what is looked for
/// @param memory where races are looked for
/// @param workspace the address of what the CTAs of a cooperative launch meet in, else 0
/// @param localLimit the most local memory a thread may take, in bytes
/// @param tensorCores what computes matrix products
/// @param started what its threads start
/// @param findings what its CTAs find
/// @param shadow who accessed global memory, or null where nothing is looked for
/// @param productPaths where products of `wgmma` may be touched early, or null likewise
/// @param spares where its CTAs come from, and go to
/// @param arena of memory that its CTAs need until the launch is over
public record Grid(
        Program program,
        Code kernel,
        GridShape shape,
        MemorySegment parameters,
        GlobalMemory global,
        SharedSizes shared,
        Set<RuleGroup> checks,
        OrderedMemory memory,
        long workspace,
        int localLimit,
        TensorCores tensorCores,
        Started started,
        FindingLog findings,
        @Nullable GlobalShadow shadow,
        @Nullable ProductPaths productPaths,
        SpareClusters spares,
        Arena arena) {

    /// Bytes kept for each byte of shared memory, itself among them, with checks on.
    private static final int SHADOWED = 48;

    public Grid {
        if (kernel.frameBytes() > localLimit) {
            throw new InputException(
                    "kernel %s needs %d bytes of local memory per thread, the limit is %d"
                            .formatted(kernel.sourceName(), kernel.frameBytes(), localLimit));
        }
    }

    /// Whether CTAs of another launch may serve in this one: their threads, registers and memory
    /// are as many, and the same is looked for.
    @SuppressWarnings("ReferenceEquality") // what is kept of a kernel is kept of this one
    boolean isLike(Grid other) {
        return program == other.program
                && kernel == other.kernel
                && shape.equals(other.shape)
                && shared.equals(other.shared)
                && checks.equals(other.checks)
                && memory.equals(other.memory);
    }

    /// Whether anything is looked for.
    public boolean checked() {
        return !checks.isEmpty();
    }

    /// Whether one worker must run all CTAs, so that what is found does not depend on how many
    /// there are.
    public boolean isOrdered() {
        return shadow != null && looksAtOrder() && shadow.order().isFollowed();
    }

    /// Whether the order of accesses is looked at: for races, and as asynchronous operations are to
    /// be fenced and waited for.
    public boolean looksAtOrder() {
        return checks(RuleGroup.RACES) || checks(RuleGroup.ASYNC);
    }

    /// Whether a group is looked for.
    public boolean checks(RuleGroup group) {
        return checks.contains(group);
    }

    /// Whether all is looked for that memory accesses and barriers must keep.
    public boolean checksAll() {
        return checks.containsAll(RuleGroup.CHECKS);
    }

    /// Host bytes that one resident CTA takes before it calls anything.
    public long residentBytes() {
        long perWarp = frameBytes(kernel) + 32L * kernel.frameBytes() * (checked() ? 2 : 1);
        return shape.warps() * perWarp + (long) shared.allBytes() * (checked() ? SHADOWED : 1);
    }

    /// Host bytes that the registers of one activation of a code take for a warp.
    private static long frameBytes(Code code) {
        return 4L * code.predicates()
                + 128L * code.words()
                + 256L * code.longs()
                + 8L * code.blocks().size()
                + 256;
    }

    /// Host bytes that one activation of a called function takes for a warp: registers, and local
    /// memory, which grows by doubling.
    public static long activationBytes(Code code) {
        return frameBytes(code) + 128L * code.frameBytes();
    }
}
