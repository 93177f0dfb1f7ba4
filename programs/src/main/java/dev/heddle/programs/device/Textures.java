package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.Sampler.Filter;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.TexelArray.Layering;
import dev.heddle.vm.texture.TexelFormat;
import dev.heddle.vm.texture.Texture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/// The texture and surface objects of the device.
public final class Textures {
    private static final int ARRAY = 0;
    private static final int MIPMAPPED_ARRAY = 1;
    private static final int LINEAR = 2;
    private static final int PITCHED = 3;
    private static final int RESOURCE_BYTES = 144;
    private static final int VIEW_BYTES = 112;

    private final Device device;
    private final Map<Long, Description> descriptions = new ConcurrentHashMap<>();

    Textures(Device device) {
        this.device = device;
    }

    /// What an object was made from: the bytes of the structures that the program gave.
    ///
    /// @param resource a `cudaResourceDesc` or `CUDA_RESOURCE_DESC`
    /// @param sampling a `cudaTextureDesc` or `CUDA_TEXTURE_DESC`; empty for a surface
    /// @param view a `cudaResourceViewDesc`; empty where there was none
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Description(byte[] resource, byte[] sampling, byte[] view) {}

    /// Linear memory under a texture, as the runtime or the driver describes it.
    ///
    /// @param format of a texel
    /// @param rest where the structure goes on behind the format
    public record Linear(TexelFormat format, long rest) {}

    /// The structures by which the runtime or the driver describes textures.
    ///
    /// @param formats reads the format of linear memory at an address
    /// @param samplers reads the sampler at an address, for texels of a format
    /// @param samplerBytes of the structure of a sampler
    public record Structures(
            LongFunction<Linear> formats,
            BiFunction<Long, TexelFormat, Sampler> samplers,
            int samplerBytes) {}

    /// A texture object.
    ///
    /// @param resource the address of a `cudaResourceDesc` or `CUDA_RESOURCE_DESC`
    /// @param sampling the address of a `cudaTextureDesc` or `CUDA_TEXTURE_DESC`
    /// @param view the address of a `cudaResourceViewDesc`, or 0
    /// @throws CudaException where they describe no texture
    public long create(Structures structures, long resource, long sampling, long view) {
        int type = Host.getInt(resource);
        List<TexelArray> levels = levels(resource, type, structures.formats);
        if (view != 0) {
            refuseIf(type == LINEAR || type == PITCHED, ErrorCode.INVALID_VALUE);
            levels = viewed(levels, view);
        }
        Sampler sampler = structures.samplers.apply(sampling, levels.getFirst().format());
        long texture = device.textures().add(new Texture(levels, sampler));
        descriptions.put(
                texture,
                new Description(
                        bytes(resource, RESOURCE_BYTES),
                        bytes(sampling, structures.samplerBytes),
                        view == 0 ? new byte[0] : bytes(view, VIEW_BYTES)));
        return texture;
    }

    private List<TexelArray> levels(long resource, int type, LongFunction<Linear> formats) {
        long first = Host.getLong(resource + 8);
        return switch (type) {
            case ARRAY -> List.of(device.arrays().of(first).texels());
            case MIPMAPPED_ARRAY ->
                    device.arrays().levels(first).stream()
                            .map(level -> device.arrays().of(level).texels())
                            .toList();
            case LINEAR, PITCHED -> {
                Linear linear = formats.apply(resource + 16);
                yield List.of(memory(first, linear, type == PITCHED));
            }
            default -> throw new CudaException(ErrorCode.INVALID_VALUE);
        };
    }

    private TexelArray memory(long address, Linear linear, boolean pitched) {
        TexelFormat format = linear.format;
        long width = Host.getLong(linear.rest) / (pitched ? 1 : format.bytes());
        long height = pitched ? Host.getLong(linear.rest + 8) : 0;
        long pitch = pitched ? Host.getLong(linear.rest + 16) : width * format.bytes();
        refuseIf(
                width < 1
                        || width > Integer.MAX_VALUE
                        || height < 0
                        || height > Integer.MAX_VALUE
                        || pitch < width * format.bytes()
                        || address == 0,
                ErrorCode.INVALID_VALUE);
        long bytes = (Math.max(1, height) - 1) * pitch + width * format.bytes();
        refuseIf(!device.memory().isOurs(address), ErrorCode.INVALID_VALUE);
        device.memory().require(address, bytes);
        return new TexelArray(
                format,
                (int) width,
                (int) height,
                0,
                Layering.NONE,
                Host.at(address, bytes),
                pitch);
    }

    // Views: the channels of uncompressed formats are numbered from 1, by type, then by count.

    private static final List<TexelFormat.Channel> VIEWED =
            List.of(
                    TexelFormat.Channel.U8,
                    TexelFormat.Channel.S8,
                    TexelFormat.Channel.U16,
                    TexelFormat.Channel.S16,
                    TexelFormat.Channel.U32,
                    TexelFormat.Channel.S32,
                    TexelFormat.Channel.F16,
                    TexelFormat.Channel.F32);

    private static List<TexelArray> viewed(List<TexelArray> levels, long view) {
        int number = Host.getInt(view);
        refuseIf(number < 0 || number > 3 * VIEWED.size(), ErrorCode.NOT_SUPPORTED);
        int firstLevel = Host.getInt(view + 32);
        int lastLevel = Host.getInt(view + 36);
        int firstLayer = Host.getInt(view + 40);
        int lastLayer = Host.getInt(view + 44);
        refuseIf(
                firstLevel < 0 || lastLevel < firstLevel || lastLevel >= levels.size(),
                ErrorCode.INVALID_VALUE);
        List<TexelArray> seen = new ArrayList<>();
        for (TexelArray level : levels.subList(firstLevel, lastLevel + 1)) {
            TexelFormat format =
                    number == 0
                            ? level.format()
                            : new TexelFormat(VIEWED.get((number - 1) / 3), 1 << (number - 1) % 3);
            seen.add(viewed(level, format, firstLayer, lastLayer));
        }
        return seen;
    }

    private static TexelArray viewed(
            TexelArray level, TexelFormat format, int firstLayer, int lastLayer) {
        boolean layered = level.layering() != Layering.NONE;
        int depth = layered ? lastLayer - firstLayer + 1 : level.depth();
        refuseIf(
                format.bytes() != level.format().bytes()
                        || firstLayer < 0
                        || lastLayer < firstLayer
                        || layered && lastLayer >= level.depth(),
                ErrorCode.INVALID_VALUE);
        long from = layered ? firstLayer * level.slicePitch() : 0;
        return new TexelArray(
                format,
                level.width(),
                level.height(),
                depth,
                level.layering(),
                level.bytes().asSlice(from),
                level.rowPitch());
    }

    /// A surface object. As on an H100, the array need not have been made for surfaces.
    ///
    /// @throws CudaException where the resource is no array
    public long createSurface(long resource) {
        refuseIf(Host.getInt(resource) != ARRAY, ErrorCode.INVALID_VALUE);
        CudaArray array = device.arrays().of(Host.getLong(resource + 8));
        long surface = device.textures().add(array.texels());
        byte[] none = new byte[0];
        descriptions.put(surface, new Description(bytes(resource, RESOURCE_BYTES), none, none));
        return surface;
    }

    private static byte[] bytes(long address, int count) {
        return Host.at(address, count).toArray(ValueLayout.JAVA_BYTE);
    }

    /// What an object was made from.
    ///
    /// @throws CudaException where there is none of that handle
    public Description description(long object) {
        return orRefuse(descriptions.get(object), ErrorCode.INVALID_VALUE);
    }

    /// Writes a part of a description for the program.
    ///
    /// @throws CudaException where the object was made without it
    public static void write(long into, byte[] part) {
        refuseIf(part.length == 0, ErrorCode.INVALID_VALUE);
        Host.at(into, part.length).copyFrom(MemorySegment.ofArray(part));
    }

    /// Forgets an object, once the work of all streams is done. As on an H100, one that is not
    /// there is none the worse.
    public void destroy(long object) {
        if (!descriptions.containsKey(object)) {
            return;
        }
        device.settleStreams();
        descriptions.remove(object);
        device.textures().remove(object);
    }

    /// A sampler.
    ///
    /// @param modes the address of three `cudaTextureAddressMode`; those of axes that a texture
    ///     has not may be anything
    /// @param filter of `cudaTextureFilterMode`
    /// @param numbers whether integers are to be read as numbers
    public static Sampler sampler(
            long modes,
            int filter,
            boolean normalized,
            boolean numbers,
            boolean srgb,
            long border,
            Sampler.Levels levels) {
        List<Sampler.Addressing> addressing = new ArrayList<>();
        List<Float> colours = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int mode = Host.getInt(modes + 4L * i);
            boolean known = mode >= 0 && mode < Sampler.Addressing.values().length;
            addressing.add(known ? Sampler.Addressing.values()[mode] : Sampler.Addressing.CLAMP);
        }
        for (int i = 0; i < 4; i++) {
            colours.add(Host.getFloat(border + 4L * i));
        }
        return new Sampler(addressing, filter(filter), normalized, numbers, srgb, colours, levels);
    }

    /// A filter by its number.
    private static Filter filter(int number) {
        refuseIf(number < 0 || number >= Filter.values().length, ErrorCode.INVALID_VALUE);
        return Filter.values()[number];
    }

    /// Four numbers that both APIs write alike: filter, bias, least and most.
    public static Sampler.Levels mipmap(long address) {
        return new Sampler.Levels(
                filter(Host.getInt(address)),
                Host.getFloat(address + 4),
                Host.getFloat(address + 8),
                Host.getFloat(address + 12));
    }
}
