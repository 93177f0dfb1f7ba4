package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Memory.Kind;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The CUDA arrays and mipmapped arrays of the device, by handle.
public final class Arrays {
    private static final int KNOWN_FLAGS =
            CudaArray.LAYERED
                    | CudaArray.SURFACE_LOAD_STORE
                    | CudaArray.CUBEMAP
                    | CudaArray.TEXTURE_GATHER;

    private final Memory memory;
    private final Map<Long, CudaArray> arrays = new HashMap<>();
    private final Map<Long, List<Long>> mipmapped = new HashMap<>();
    private long next = 0x9000_0000L;

    Arrays(Memory memory) {
        this.memory = memory;
    }

    /// Of compute capability 7.5 and later (CUDA Programming Guide, Technical Specifications).
    private static final int MOST_WIDTH = 131072;

    private static final int MOST_HEIGHT = 65536;
    private static final int MOST_DEPTH = 16384;
    private static final int MOST_LAYERS = 2048;

    /// The extents of an array, as `cudaMalloc3DArray` takes them.
    ///
    /// @param width texels of a row
    /// @param height rows; 0 for one dimension
    /// @param depth slices, layers or faces; 0 for neither
    public record Shape(long width, long height, long depth) {
        public Shape {
            refuseIf(
                    width < 1
                            || height < 0
                            || depth < 0
                            || width > MOST_WIDTH
                            || height > MOST_HEIGHT
                            || depth > MOST_DEPTH,
                    ErrorCode.INVALID_VALUE);
        }

        private Shape level(int level, boolean slices) {
            return new Shape(
                    Math.max(1, width >> level),
                    height == 0 ? 0 : Math.max(1, height >> level),
                    depth == 0 || !slices ? depth : Math.max(1, depth >> level));
        }

        /// Levels down to one texel.
        private int levels(boolean slices) {
            long most = Math.max(width, Math.max(height, slices ? depth : 0));
            return Long.SIZE - Long.numberOfLeadingZeros(most);
        }
    }

    private static Layering layering(int flags) {
        return switch (flags & (CudaArray.LAYERED | CudaArray.CUBEMAP)) {
            case 0 -> Layering.NONE;
            case CudaArray.LAYERED -> Layering.LAYERED;
            case CudaArray.CUBEMAP -> Layering.CUBEMAP;
            default -> Layering.CUBEMAP_LAYERED;
        };
    }

    /// A new array.
    ///
    /// @param flags of `cudaMalloc3DArray`
    /// @return its handle
    /// @throws CudaException where there is no such array, or no memory for it
    public synchronized long allocate(TexelFormat format, Shape shape, int flags) {
        refuseIf((flags & ~KNOWN_FLAGS) != 0, ErrorCode.NOT_SUPPORTED);
        refuseIf(
                (flags & CudaArray.LAYERED) != 0 && shape.depth > MOST_LAYERS,
                ErrorCode.INVALID_VALUE);
        long row = shape.width * format.bytes();
        long bytes;
        try {
            bytes =
                    Math.multiplyExact(
                            row,
                            Math.multiplyExact(
                                    Math.max(1, shape.height), Math.max(1, shape.depth)));
        } catch (ArithmeticException _) {
            throw new CudaException(ErrorCode.MEMORY_ALLOCATION);
        }
        long address = memory.allocate(bytes, Kind.ARRAY, flags);
        try {
            TexelArray texels =
                    TexelArray.packed(
                            format,
                            (int) shape.width,
                            (int) shape.height,
                            (int) shape.depth,
                            layering(flags),
                            Host.at(address, bytes));
            next += 16;
            arrays.put(next, new CudaArray(texels, address, flags));
            return next;
        } catch (IllegalArgumentException _) {
            // Faces that are not square, or not six.
            memory.free(address);
            throw new CudaException(ErrorCode.INVALID_VALUE);
        }
    }

    /// A new mipmapped array.
    ///
    /// @param levels at most as many as it takes to come to one texel
    /// @return its handle
    public synchronized long allocate(TexelFormat format, Shape shape, int flags, int levels) {
        boolean slices = layering(flags) == Layering.NONE;
        List<Long> handles = new ArrayList<>();
        for (int i = 0; i < Math.clamp(levels, 1, shape.levels(slices)); i++) {
            handles.add(allocate(format, shape.level(i, slices), flags));
        }
        next += 16;
        mipmapped.put(next, handles);
        return next;
    }

    /// The array of a handle.
    ///
    /// @throws CudaException where there is none
    public synchronized CudaArray of(long handle) {
        return orRefuse(arrays.get(handle), ErrorCode.INVALID_VALUE);
    }

    /// The handles of the levels of a mipmapped array.
    ///
    /// @throws CudaException where there is none
    public synchronized List<Long> levels(long handle) {
        return orRefuse(mipmapped.get(handle), ErrorCode.INVALID_VALUE);
    }

    /// Frees an array.
    public synchronized void free(long handle) {
        memory.free(of(handle).address());
        arrays.remove(handle);
    }

    /// Frees a mipmapped array.
    public synchronized void freeLevels(long handle) {
        levels(handle).forEach(this::free);
        mipmapped.remove(handle);
    }

    /// Forgets those whose memory was freed.
    synchronized void forgetFreed() {
        arrays.values().removeIf(each -> memory.at(each.address()) == null);
        mipmapped.values().removeIf(levels -> !arrays.keySet().containsAll(levels));
    }
}
