package dev.heddle.vm;

import dev.heddle.formats.InputException;
import dev.heddle.vm.memory.Buffer;
import dev.heddle.vm.memory.GlobalMemory;
import dev.heddle.vm.texture.Sampler;
import dev.heddle.vm.texture.TexelArray;
import dev.heddle.vm.texture.Texture;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// How arguments are in a kernel's parameters: values as they are, buffers as their addresses,
/// tensor maps as 128 bytes, textures and surfaces as handles.
final class ArgumentEncoder {
    private final GlobalMemory memory;
    private final Function<String, Buffer> buffers;
    private final Map<Argument.Embedded, Long> handles = new LinkedHashMap<>();

    /// An encoder for a session.
    ///
    /// @param buffers finds a buffer by its name
    ArgumentEncoder(GlobalMemory memory, Function<String, Buffer> buffers) {
        this.memory = memory;
        this.buffers = buffers;
    }

    /// Gives all handles the texels where they are now: memory moves as it grows.
    void bindAll() {
        handles.forEach(this::bind);
    }

    /// Writes an argument where a kernel reads it.
    void put(Argument argument, MemorySegment target, long offset) {
        switch (argument) {
            case Argument.Value(byte[] bytes) ->
                    MemorySegment.copy(
                            bytes, 0, target, ValueLayout.JAVA_BYTE, offset, bytes.length);
            case Argument.Structure(byte[] bytes, var at) -> {
                MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, offset, bytes.length);
                at.forEach((place, one) -> embed(one, target, offset + place));
            }
            case Argument.Buffer(String name, _, _) ->
                    embed(new Argument.Address(name, 0), target, offset);
            case Argument.Embedded one -> embed(one, target, offset);
        }
    }

    private void embed(Argument.Embedded one, MemorySegment target, long offset) {
        switch (one) {
            case Argument.Address address ->
                    target.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, address(address));
            case Argument.TensorMap map ->
                    TensorMapEncoder.encode(map, address(map.base())).encode(target, offset);
            case Argument.Texture _, Argument.Surface _ ->
                    target.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, handle(one));
        }
    }

    /// The handle of a texture or surface, the same in every launch.
    private long handle(Argument.Embedded one) {
        long handle = handles.computeIfAbsent(one, _ -> memory.textures().reserve());
        bind(one, handle);
        return handle;
    }

    /// Gives a handle the texels where they are now.
    private void bind(Argument.Embedded one, long handle) {
        switch (one) {
            case Argument.Texture(Argument.Texels texels, int levels, Sampler sampler) -> {
                List<TexelArray> arrays = new ArrayList<>();
                for (int level = 0; level < levels; level++) {
                    arrays.add(texels(texels, level));
                }
                memory.textures().set(handle, new Texture(arrays, sampler));
            }
            case Argument.Surface(Argument.Texels texels) ->
                    memory.textures().set(handle, texels(texels, 0));
            case Argument.Address _, Argument.TensorMap _ -> {}
        }
    }

    private TexelArray texels(Argument.Texels texels, int level) {
        long before = 0;
        for (int finer = 0; finer < level; finer++) {
            before += texels.bytes(finer);
        }
        Buffer buffer = buffers.apply(texels.base().buffer());
        long offset = texels.base().offset() + before;
        if (offset + texels.bytes(level) > buffer.bytes()) {
            throw new InputException(
                    "texels at %s: %s has %d bytes, level %d ends at %d"
                            .formatted(
                                    texels.base(),
                                    buffer.name(),
                                    buffer.bytes(),
                                    level,
                                    offset + texels.bytes(level)));
        }
        boolean slices = texels.layering() == TexelArray.Layering.NONE;
        return TexelArray.packed(
                texels.format(),
                Math.max(1, texels.width() >> level),
                texels.height() == 0 ? 0 : Math.max(1, texels.height() >> level),
                texels.depth() == 0 || !slices
                        ? texels.depth()
                        : Math.max(1, texels.depth() >> level),
                texels.layering(),
                memory.range(buffer.address() + offset, texels.bytes(level)));
    }

    /// Where a place in a buffer lies.
    ///
    /// @throws InputException where there is no such buffer or the place is behind its
    ///     end
    private long address(Argument.Address address) {
        Buffer buffer = buffers.apply(address.buffer());
        if (address.offset() > buffer.bytes()) {
            throw new InputException(
                    "address %s: %s has %d bytes"
                            .formatted(address, address.buffer(), buffer.bytes()));
        }
        return buffer.address() + address.offset();
    }
}
