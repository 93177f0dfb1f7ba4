package dev.heddle.cuda;

import dev.heddle.vm.Argument;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// The textures and surfaces of a launch on a GPU: arrays with the texels of buffers, which go back
/// to the buffers when the launch has ended.
final class GpuTextures implements AutoCloseable {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    // CUmemorytype.
    private static final int DEVICE = 2;
    private static final int ARRAY = 3;

    // Flags of CUDA_ARRAY3D_DESCRIPTOR.
    private static final int LAYERED = 1;
    private static final int STORABLE = 2;
    private static final int CUBEMAP = 4;
    private static final int GATHERED = 8;

    // Flags of CUDA_TEXTURE_DESC.
    private static final int AS_INTEGER = 1;
    private static final int NORMALIZED = 2;
    private static final int SRGB = 0x10;

    private final Context context;
    private final Arena arena = Arena.ofShared();
    private final Map<Key, Levels> arrays = new LinkedHashMap<>();
    private final Map<Argument, Long> handles = new LinkedHashMap<>();

    GpuTextures(Context context) {
        this.context = context;
    }

    private record Key(Argument.Texels texels, int levels) {}

    /// An array of one level, or a mipmapped one.
    ///
    /// @param address of the buffer's texels
    private record Levels(MemorySegment array, long address) {}

    /// @param address of the first texel
    long handle(Argument.Texture texture, long address) {
        Long known = handles.get(texture);
        if (known != null) {
            return known;
        }
        Levels levels = array(new Key(texture.texels(), texture.levels()), address);
        return create(
                texture,
                "cuTexObjectCreate",
                resource(levels, texture.levels() > 1),
                describe(texture.sampler(), texture.texels().format()),
                MemorySegment.NULL);
    }

    /// @param address of the first texel
    long handle(Argument.Surface surface, long address) {
        Long known = handles.get(surface);
        return known != null
                ? known
                : create(
                        surface,
                        "cuSurfObjectCreate",
                        resource(array(new Key(surface.texels(), 1), address), false));
    }

    private long create(Argument argument, String function, Object... description) {
        MemorySegment handle = arena.allocate(ValueLayout.JAVA_LONG);
        context.call(function, Stream.concat(Stream.of(handle), Stream.of(description)).toArray());
        handles.put(argument, handle.get(LONG, 0));
        return handle.get(LONG, 0);
    }

    /// A `CUDA_RESOURCE_DESC` of an array.
    private MemorySegment resource(Levels levels, boolean mipmapped) {
        MemorySegment resource = arena.allocate(144, 8);
        resource.set(INT, 0, mipmapped ? 1 : 0);
        resource.set(ValueLayout.ADDRESS_UNALIGNED, 8, levels.array);
        return resource;
    }

    /// A `CUDA_TEXTURE_DESC`; its modes are in the order of this machine's.
    private MemorySegment describe(Sampler sampler, TexelFormat format) {
        MemorySegment description = arena.allocate(104, 8);
        for (int axis = 0; axis < 3; axis++) {
            description.set(INT, 4L * axis, sampler.addressing().get(axis).ordinal());
        }
        description.set(INT, 12, sampler.filter().ordinal());
        boolean integer = !format.channel().isFloat() && !sampler.asNumbers();
        description.set(
                INT,
                16,
                (integer ? AS_INTEGER : 0)
                        | (sampler.normalized() ? NORMALIZED : 0)
                        | (sampler.srgb() ? SRGB : 0));
        description.set(INT, 24, sampler.levels().filter().ordinal());
        description.set(FLOAT, 28, sampler.levels().bias());
        description.set(FLOAT, 32, sampler.levels().least());
        description.set(FLOAT, 36, sampler.levels().most());
        for (int i = 0; i < 4; i++) {
            description.set(FLOAT, 40 + 4L * i, sampler.border().get(i));
        }
        return description;
    }

    private Levels array(Key key, long address) {
        Levels known = arrays.get(key);
        if (known != null) {
            return known;
        }
        MemorySegment shape = shape(key);
        MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
        if (key.levels == 1) {
            context.call("cuArray3DCreate", handle, shape);
        } else {
            context.call("cuMipmappedArrayCreate", handle, shape, key.levels);
        }
        Levels levels = new Levels(handle.get(ValueLayout.ADDRESS, 0), address);
        arrays.put(key, levels);
        copy(key, levels, true);
        return levels;
    }

    /// A `CUDA_ARRAY3D_DESCRIPTOR`.
    private MemorySegment shape(Key key) {
        Argument.Texels texels = key.texels;
        boolean cube =
                texels.layering() == Layering.CUBEMAP
                        || texels.layering() == Layering.CUBEMAP_LAYERED;
        boolean layered =
                texels.layering() == Layering.LAYERED
                        || texels.layering() == Layering.CUBEMAP_LAYERED;
        boolean flat = texels.height() > 0 && texels.depth() == 0 && key.levels == 1;
        MemorySegment shape = arena.allocate(40, 8);
        shape.set(LONG, 0, texels.width());
        shape.set(LONG, 8, texels.height());
        shape.set(LONG, 16, texels.depth());
        shape.set(INT, 24, texels.format().channel().driverNumber());
        shape.set(INT, 28, texels.format().channels());
        shape.set(
                INT,
                32,
                (layered ? LAYERED : 0) | (cube ? CUBEMAP : 0) | (flat ? GATHERED : 0) | STORABLE);
        return shape;
    }

    /// Copies every level between its array and the buffer.
    private void copy(Key key, Levels levels, boolean toArray) {
        long offset = 0;
        for (int level = 0; level < key.levels; level++) {
            MemorySegment array = key.levels == 1 ? levels.array : level(levels.array, level);
            copy(key.texels, level, levels.address + offset, array, toArray);
            offset += key.texels.bytes(level);
        }
    }

    private MemorySegment level(MemorySegment mipmapped, int level) {
        MemorySegment handle = arena.allocate(ValueLayout.ADDRESS);
        context.call("cuMipmappedArrayGetLevel", handle, mipmapped, level);
        return handle.get(ValueLayout.ADDRESS, 0);
    }

    /// A `CUDA_MEMCPY3D`.
    private void copy(
            Argument.Texels texels, int level, long address, MemorySegment array, boolean toArray) {
        long row = (long) Math.max(1, texels.width() >> level) * texels.format().bytes();
        long rows = Math.max(1, texels.height() >> level);
        boolean slices = texels.layering() == Layering.NONE;
        long depth = Math.max(1, slices ? texels.depth() >> level : texels.depth());
        MemorySegment copy = arena.allocate(200, 8);
        int device = toArray ? 0 : 88;
        int other = toArray ? 88 : 0;
        copy.set(INT, device + 32, DEVICE);
        copy.set(LONG, device + 48, address);
        copy.set(LONG, device + 72, row);
        copy.set(LONG, device + 80, rows);
        copy.set(INT, other + 32, ARRAY);
        copy.set(ValueLayout.ADDRESS_UNALIGNED, other + 56, array);
        copy.set(LONG, 176, row);
        copy.set(LONG, 184, rows);
        copy.set(LONG, 192, depth);
        context.call("cuMemcpy3D", copy);
    }

    /// What surfaces hold goes to their buffers.
    void copyBack() {
        for (Argument argument : handles.keySet()) {
            if (argument instanceof Argument.Surface(Argument.Texels texels)) {
                Key key = new Key(texels, 1);
                Levels levels = arrays.get(key);
                if (levels != null) {
                    copy(key, levels, false);
                }
            }
        }
    }

    @Override
    public void close() {
        handles.forEach(
                (argument, handle) ->
                        context.call(
                                argument instanceof Argument.Texture
                                        ? "cuTexObjectDestroy"
                                        : "cuSurfObjectDestroy",
                                handle));
        arrays.forEach(
                (key, levels) ->
                        context.call(
                                key.levels == 1 ? "cuArrayDestroy" : "cuMipmappedArrayDestroy",
                                levels.array));
        arena.close();
    }
}
