package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Modules;
import dev.heddle.programs.fatbin.LinkedText;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// CUDA Driver API 6.11: the linker. Its result is PTX, where a driver's is machine code; both are
/// only to be loaded.
public final class LinkFunctions {
    private static final int PTX = 1;
    private static final int FAT_BINARY = 2;

    private final Device device;
    private final Map<Long, Linking> states = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong(0xd000_0000L);

    /// What was added so far, what the program wants to be told, and the memory of the result.
    private record Linking(List<String> texts, JitOptions options, Arena memory) {}

    /// Functions on a device.
    public LinkFunctions(Device device) {
        this.device = device;
    }

    /// Begins.
    public void cuLinkCreate(int count, long options, long values, long into) {
        long handle = next.addAndGet(16);
        JitOptions told = new JitOptions(count, options, values);
        states.put(handle, new Linking(new ArrayList<>(), told, Arena.ofShared()));
        Host.putLong(into, handle);
    }

    private Linking state(long handle) {
        return orRefuse(states.get(handle), ErrorCode.INVALID_RESOURCE_HANDLE);
    }

    /// Adds PTX or a fat binary.
    public void cuLinkAddData(
            long state,
            int type,
            long data,
            long bytes,
            long name,
            int count,
            long options,
            long values) {
        Linking linking = state(state);
        if (type == PTX) {
            // The zero byte at the end may be counted or not.
            String text =
                    new String(
                                    Host.at(data, bytes).toArray(ValueLayout.JAVA_BYTE),
                                    StandardCharsets.UTF_8)
                            .replace("\0", "");
            String file = name == 0 ? "linked.ptx" : Host.text(name);
            linking.options.tell(
                    () -> {
                        Modules.requireValid(text, file);
                        return linking.texts.add(text);
                    });
        } else if (type == FAT_BINARY) {
            linking.texts.add(device.modules().text(data));
        } else {
            System.err.println("heddle: only PTX and fat binaries with PTX can be linked");
            throw new CudaException(ErrorCode.NOT_SUPPORTED);
        }
    }

    /// Adds a file of PTX or a fat binary.
    public void cuLinkAddFile(
            long state, int type, long path, int count, long options, long values) {
        ModuleFunctions.withFile(
                path,
                (data, bytes) ->
                        cuLinkAddData(state, type, data, bytes, 0, count, options, values));
    }

    /// Makes one module of all; it lives as long as the state.
    public void cuLinkComplete(long state, long into, long bytes) {
        Linking linking = state(state);
        refuseIf(linking.texts.isEmpty(), ErrorCode.INVALID_VALUE);
        MemorySegment text = linking.memory.allocateFrom(LinkedText.of(linking.texts));
        Host.putLong(into, text.address());
        Host.putLongIfAsked(bytes, text.byteSize());
    }

    /// Ends.
    public void cuLinkDestroy(long state) {
        state(state).memory.close();
        states.remove(state);
    }
}
