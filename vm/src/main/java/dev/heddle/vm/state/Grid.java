package dev.heddle.vm.state;

import dev.heddle.formats.InputException;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.report.FindingLog;
import dev.heddle.vm.shadow.GlobalShadow;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// One launch: what all its CTAs share and nothing changes while they run.
///
/// @param program with the kernel
/// @param kernel the code the launch starts
/// @param extent CTAs in each direction
/// @param block threads of a CTA in each direction
/// @param cluster CTAs of a cluster in each direction
/// @param explicitCluster whether the launch or the kernel says so, even if it is one
/// @param parameters the kernel's parameter space
/// @param global device memory
/// @param sharedBytes static and dynamic shared memory of a CTA
/// @param dynamicBytes the dynamic part
/// @param reservedBytes shared memory behind them that belongs to the system
/// @param checks what is looked for
/// @param workspace the address of what the CTAs of a cooperative launch meet in, else 0
/// @param localLimit the most local memory a thread may take, in bytes
/// @param tensorCores what computes matrix products
/// @param started what its threads start
/// @param findings what its CTAs find
/// @param shadow who accessed global memory, or null where nothing is looked for
public record Grid(
        Program program,
        Code kernel,
        Extent extent,
        Extent block,
        Extent cluster,
        boolean explicitCluster,
        MemorySegment parameters,
        GlobalMemory global,
        int sharedBytes,
        int dynamicBytes,
        int reservedBytes,
        Set<RuleGroup> checks,
        long workspace,
        int localLimit,
        TensorCores tensorCores,
        Started started,
        FindingLog findings,
        @Nullable GlobalShadow shadow) {

    /// The most shared memory of a CTA: what the largest GPUs have.
    private static final int MOST_SHARED = 227 << 10;

    /// Bytes kept for each byte of shared memory, itself among them, with checks on.
    private static final int SHADOWED = 48;

    private static final int MOST_ACROSS = 65535;

    public Grid {
        if (extent.y() > MOST_ACROSS || extent.z() > MOST_ACROSS) {
            throw new InputException(
                    "a grid of (%d,%d,%d) CTAs: at most %d along y and z"
                            .formatted(extent.x(), extent.y(), extent.z(), MOST_ACROSS));
        }
        if (block.x() > Extent.MOST_THREADS
                || block.y() > Extent.MOST_THREADS
                || block.z() > Extent.MOST_THREADS
                || block.count() > Extent.MOST_THREADS) {
            throw new InputException(
                    "a CTA of (%d,%d,%d) threads: at most %d in all"
                            .formatted(block.x(), block.y(), block.z(), Extent.MOST_THREADS));
        }
        if (sharedBytes < 0 || sharedBytes > MOST_SHARED) {
            throw new InputException(
                    "%d bytes of shared memory: a CTA has at most %d"
                            .formatted(sharedBytes & 0xffff_ffffL, MOST_SHARED));
        }
        if (kernel.frameBytes() > localLimit) {
            throw new InputException(
                    "kernel %s needs %d bytes of local memory per thread, the limit is %d"
                            .formatted(kernel.sourceName(), kernel.frameBytes(), localLimit));
        }
    }

    /// All shared memory of a CTA.
    public int allSharedBytes() {
        return reservedOffset() + reservedBytes;
    }

    /// Where the system's shared memory begins.
    public int reservedOffset() {
        return reservedBytes == 0 ? sharedBytes : (sharedBytes + 15) & -16;
    }

    /// Whether anything is looked for.
    public boolean checked() {
        return !checks.isEmpty();
    }

    /// Whether one worker must run all CTAs, so that what is found does not depend on how many
    /// there are.
    public boolean isOrdered() {
        return shadow != null && checks(RuleGroup.RACES) && shadow.order().isFollowed();
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
        return warps() * perWarp + (long) allSharedBytes() * (checked() ? SHADOWED : 1);
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

    /// Clusters in each direction.
    public Extent clusters() {
        return new Extent(
                extent.x() / cluster.x(), extent.y() / cluster.y(), extent.z() / cluster.z());
    }

    /// Where a CTA stands in the grid.
    public record Place(int x, int y, int z) {}

    /// The first CTA of a cluster.
    ///
    /// @param linear the cluster's number in the grid
    public Place firstOf(long linear) {
        Extent clusters = clusters();
        return new Place(
                (int) (linear % clusters.x()) * cluster.x(),
                (int) (linear / clusters.x() % clusters.y()) * cluster.y(),
                (int) (linear / clusters.x() / clusters.y()) * cluster.z());
    }

    /// Threads of a CTA.
    public int threads() {
        return Math.toIntExact(block.count());
    }

    /// Warps of a CTA, the last perhaps not full.
    public int warps() {
        return (threads() + 31) / 32;
    }
}
