package dev.heddle.vm.execution;

import dev.heddle.vm.ir.Code;
import dev.heddle.vm.ir.Program;
import dev.heddle.vm.memory.GlobalMemory;

import java.lang.foreign.MemorySegment;

/// One launch: what all its CTAs share and nothing changes while they run.
///
/// @param program with the kernel
/// @param kernel the code the launch starts
/// @param extent CTAs in each direction
/// @param block threads of a CTA in each direction
/// @param parameters the kernel's parameter space
/// @param global device memory
/// @param sharedBytes static and dynamic shared memory of a CTA
/// @param dynamicBytes the dynamic part
/// @param checked whether undefined behaviour is looked for
/// @param localLimit the most local memory a thread may take, in bytes
/// @param matrices what computes matrix instructions
public record Grid(
        Program program,
        Code kernel,
        Extent extent,
        Extent block,
        MemorySegment parameters,
        GlobalMemory global,
        int sharedBytes,
        int dynamicBytes,
        boolean checked,
        int localLimit,
        MatrixUnit matrices) {

    /// A size in three directions.
    ///
    /// @param x along the first axis
    /// @param y along the second
    /// @param z along the third
    public record Extent(int x, int y, int z) {
        public Extent {
            if (x < 1 || y < 1 || z < 1) {
                throw new IllegalArgumentException(
                        "extent (%d,%d,%d): every axis must be at least 1".formatted(x, y, z));
            }
        }

        /// The number of points.
        public long count() {
            return (long) x * y * z;
        }
    }

    /// Threads of a CTA.
    int threads() {
        return Math.toIntExact(block.count());
    }

    /// Warps of a CTA, the last perhaps not full.
    int warps() {
        return (threads() + 31) / 32;
    }
}
