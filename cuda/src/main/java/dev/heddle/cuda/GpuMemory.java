package dev.heddle.cuda;

import dev.heddle.formats.FloatFormat;
import dev.heddle.formats.Format;
import dev.heddle.formats.InputException;
import dev.heddle.formats.IntegerFormat;
import dev.heddle.vm.Argument;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ModuleVariables;
import dev.heddle.vm.memory.GlobalMemory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The buffers of some launches on a GPU, by name, and what is written into the module's variables.
final class GpuMemory implements AutoCloseable {
    private final Context context;
    private final Map<String, DeviceMemory> buffers = new LinkedHashMap<>();
    private final GpuTextures textures;

    GpuMemory(Context context, List<KernelLaunch> launches) {
        this.context = context;
        textures = new GpuTextures(context);
        try {
            for (KernelLaunch one : launches) {
                one.launch().state().buffers().forEach(this::allocate);
                for (Argument argument : one.launch().arguments()) {
                    if (argument instanceof Argument.Buffer buffer) {
                        allocate(buffer);
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void allocate(Argument.Buffer buffer) {
        if (buffers.containsKey(buffer.name())) {
            return;
        }
        DeviceMemory memory = context.allocate(Math.max(1, buffer.bytes()));
        buffers.put(buffer.name(), memory);
        byte[] contents = buffer.contents();
        if (contents == null) {
            memory.fill(GlobalMemory.POISON);
        } else if (contents.length > 0) {
            memory.copyFrom(contents);
        }
    }

    /// Sets the variables that a launch sets.
    void set(CudaModule module, KernelLaunch one) {
        ModuleVariables variables = new ModuleVariables(one.kernel().program());
        one.launch()
                .state()
                .variables()
                .forEach(
                        (name, value) ->
                                context.write(
                                        module.addressOf(variables.find(name, value).name()),
                                        MemorySegment.ofArray(bytes(value))));
    }

    /// The arguments of a launch.
    Arguments arguments(Launch launch) {
        Arguments.Builder values = Arguments.builder();
        launch.arguments().forEach(one -> values.bytes(MemorySegment.ofArray(bytes(one))));
        return values.build();
    }

    private byte[] bytes(Argument argument) {
        byte[] bytes = new byte[ModuleVariables.size(argument)];
        MemorySegment target = MemorySegment.ofArray(bytes);
        switch (argument) {
            case Argument.Value(byte[] own) -> System.arraycopy(own, 0, bytes, 0, own.length);
            case Argument.Structure(byte[] own, var at) -> {
                System.arraycopy(own, 0, bytes, 0, own.length);
                at.forEach((offset, one) -> embed(one, target, offset));
            }
            case Argument.Buffer(String name, _, _) ->
                    embed(new Argument.Address(name, 0), target, 0);
            case Argument.Embedded one -> embed(one, target, 0);
        }
        return bytes;
    }

    private void embed(Argument.Embedded one, MemorySegment target, long offset) {
        switch (one) {
            case Argument.Address address ->
                    target.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, address(address));
            case Argument.TensorMap map ->
                    target.asSlice(offset, Argument.TensorMap.BYTES).copyFrom(encode(map).bytes());
            case Argument.Texture texture ->
                    target.set(
                            ValueLayout.JAVA_LONG_UNALIGNED,
                            offset,
                            textures.handle(texture, address(texture.texels().base())));
            case Argument.Surface surface ->
                    target.set(
                            ValueLayout.JAVA_LONG_UNALIGNED,
                            offset,
                            textures.handle(surface, address(surface.texels().base())));
        }
    }

    private long address(Argument.Address address) {
        DeviceMemory memory = buffers.get(address.buffer());
        if (memory == null) {
            throw new InputException(
                    "address %s: there is no buffer %s among %s"
                            .formatted(address, address.buffer(), buffers.keySet()));
        }
        return memory.address() + address.offset();
    }

    private EncodedTensorMap encode(Argument.TensorMap map) {
        if (map.box() instanceof Argument.TensorMap.Wide) {
            throw new InputException(map + ": pixels along W are not launched on a GPU");
        }
        Argument.TensorMap.Columns columns =
                map.box() instanceof Argument.TensorMap.Columns some ? some : null;
        List<Integer> box =
                map.box() instanceof Argument.TensorMap.Tile(List<Integer> extents)
                        ? extents
                        : Collections.nCopies(map.shape().size(), 1);
        List<EncodedTensorMap.Axis> axes = new ArrayList<>();
        for (int i = 0; i < map.shape().size(); i++) {
            axes.add(
                    new EncodedTensorMap.Axis(
                            map.shape().get(i),
                            i == 0 ? 0 : map.strides().get(i - 1),
                            box.get(i),
                            map.elementStrides().get(i)));
        }
        EncodedTensorMap.Tiling tiling = tiling(map);
        long address = address(map.base());
        return columns == null
                ? EncodedTensorMap.encodeTiled(context, address, axes, tiling)
                : EncodedTensorMap.encodeColumns(
                        context,
                        address,
                        axes,
                        tiling,
                        new EncodedTensorMap.Columns(
                                columns.lower(),
                                columns.upper(),
                                columns.channels(),
                                columns.pixels()));
    }

    private static EncodedTensorMap.Tiling tiling(Argument.TensorMap map) {
        return new EncodedTensorMap.Tiling(
                type(map),
                switch (map.interleave()) {
                    case 16 -> EncodedTensorMap.Interleave.BYTES_16;
                    case 32 -> EncodedTensorMap.Interleave.BYTES_32;
                    default -> EncodedTensorMap.Interleave.NONE;
                },
                switch (map.swizzle()) {
                    case 32 -> EncodedTensorMap.Swizzle.BYTES_32;
                    case 64 -> EncodedTensorMap.Swizzle.BYTES_64;
                    case 128 ->
                            switch (map.atomicity()) {
                                case BYTES_16 -> EncodedTensorMap.Swizzle.BYTES_128;
                                case BYTES_32 -> EncodedTensorMap.Swizzle.BYTES_128_ATOM_32;
                                case BYTES_32_FLIP_8 ->
                                        EncodedTensorMap.Swizzle.BYTES_128_ATOM_32_FLIP_8;
                                case BYTES_64 -> EncodedTensorMap.Swizzle.BYTES_128_ATOM_64;
                            };
                    default -> EncodedTensorMap.Swizzle.NONE;
                },
                EncodedTensorMap.L2Promotion.NONE,
                switch (map.fill()) {
                    case ZERO -> EncodedTensorMap.OutOfBounds.ZERO;
                    case NAN -> EncodedTensorMap.OutOfBounds.NAN;
                });
    }

    private static EncodedTensorMap.DataType type(Argument.TensorMap map) {
        Format format = map.format();
        return switch (format) {
            case FloatFormat.F16 -> EncodedTensorMap.DataType.F16;
            case FloatFormat.BF16 -> EncodedTensorMap.DataType.BF16;
            case FloatFormat.F32 -> EncodedTensorMap.DataType.F32;
            case FloatFormat.TF32 -> EncodedTensorMap.DataType.TF32;
            case FloatFormat.F64 -> EncodedTensorMap.DataType.F64;
            case IntegerFormat.U16, IntegerFormat.S16 -> EncodedTensorMap.DataType.U16;
            case IntegerFormat.U32 -> EncodedTensorMap.DataType.U32;
            case IntegerFormat.S32 -> EncodedTensorMap.DataType.S32;
            case IntegerFormat.U64 -> EncodedTensorMap.DataType.U64;
            case IntegerFormat.S64 -> EncodedTensorMap.DataType.S64;
            default -> {
                yield switch (format.bits()) {
                    case 4 ->
                            map.padded()
                                    ? EncodedTensorMap.DataType.U4_X16_ALIGN16
                                    : EncodedTensorMap.DataType.U4_X16_ALIGN8;
                    case 6 -> EncodedTensorMap.DataType.U6_X16_ALIGN16;
                    case 8 -> EncodedTensorMap.DataType.U8;
                    default -> throw new InputException("a tensor map of " + format.ptxName());
                };
            }
        };
    }

    /// What every buffer holds now.
    Map<String, MemorySegment> contents() {
        textures.copyBack();
        Map<String, MemorySegment> contents = new LinkedHashMap<>();
        buffers.forEach(
                (name, memory) ->
                        contents.put(
                                name, MemorySegment.ofArray(memory.toByteArray()).asReadOnly()));
        return contents;
    }

    @Override
    public void close() {
        textures.close();
        buffers.values().forEach(DeviceMemory::close);
    }
}
