package dev.heddle.cuda;

import dev.heddle.formats.InputException;
import dev.heddle.vm.Argument;
import dev.heddle.vm.KernelLaunch;
import dev.heddle.vm.Launch;
import dev.heddle.vm.ModuleVariables;
import dev.heddle.vm.TensorMapEncoder;
import dev.heddle.vm.memory.GlobalMemory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
        return EncodedTensorMap.encode(
                context,
                TensorMapEncoder.encode(map, address(map.base())),
                EncodedTensorMap.L2Promotion.NONE);
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
