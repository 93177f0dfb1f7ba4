package dev.heddle.vm.ir;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Functions of CUDA's device runtime, by which kernels start kernels (`libcudadevrt`, CUDA
/// Programming Guide, "CUDA Dynamic Parallelism") and decide what a graph does next.
///
/// Their names in PTX begin with `__cudaCDP2` since CUDA 12, with `cuda` before.
public enum DeviceRuntimeFunction {
    GET_PARAMETER_BUFFER("GetParameterBufferV2"),
    LAUNCH_DEVICE("LaunchDeviceV2"),

    /// Parameters of some size, for a launch that names the kernel itself: CUDA 5.
    GET_PARAMETER_BUFFER_OF_SIZE("GetParameterBuffer"),
    LAUNCH_KERNEL("LaunchDevice"),
    STREAM_CREATE("StreamCreateWithFlags"),
    STREAM_DESTROY("StreamDestroy"),
    STREAM_WAIT_EVENT("StreamWaitEvent"),
    EVENT_CREATE("EventCreateWithFlags"),
    EVENT_RECORD("EventRecord"),
    EVENT_DESTROY("EventDestroy"),
    MEMCPY("MemcpyAsync"),
    MEMSET("MemsetAsync"),
    MALLOC("Malloc"),
    FREE("Free"),
    GET_LAST_ERROR("GetLastError"),
    PEEK_AT_LAST_ERROR("PeekAtLastError"),
    GET_ERROR_STRING("GetErrorString"),
    GET_ERROR_NAME("GetErrorName"),
    GET_DEVICE("GetDevice"),
    GET_DEVICE_COUNT("GetDeviceCount"),

    /// Of graphs: gives the condition of a node its value.
    GRAPH_SET_CONDITIONAL("GraphSetConditional");

    private static final String PREFIX = "__cudaCDP2";
    private static final String PREFIX_BEFORE_12 = "cuda";

    private static final Map<String, DeviceRuntimeFunction> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toMap(each -> each.name, Function.identity()));

    private final String name;

    DeviceRuntimeFunction(String name) {
        this.name = name;
    }

    /// The function of a name in PTX, or null. Variants for a default stream per thread count as
    /// the same.
    public static @Nullable DeviceRuntimeFunction of(String name) {
        String plain = name.endsWith("_ptsz") ? name.substring(0, name.length() - 5) : name;
        for (String prefix : List.of(PREFIX, PREFIX_BEFORE_12)) {
            if (plain.startsWith(prefix)) {
                return BY_NAME.get(plain.substring(prefix.length()));
            }
        }
        return null;
    }

    /// Whether it takes memory of the device.
    public boolean allocates() {
        return this == GET_PARAMETER_BUFFER
                || this == GET_PARAMETER_BUFFER_OF_SIZE
                || this == MALLOC
                || this == GET_ERROR_STRING
                || this == GET_ERROR_NAME;
    }
}
