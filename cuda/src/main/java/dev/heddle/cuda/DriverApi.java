package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// The functions of the CUDA driver API that Heddle calls, by their documented names.
///
/// Where the driver exports several revisions of a function, the symbol names the one whose
/// signature is here (64-bit sizes: `_v2`), as the vendor's header does by macro.
final class DriverApi {
    /// The symbol of each function, and its parameters: `long` is also `size_t` and a pointer of
    /// the device, `pointer` any other one and every handle. All answer a `CUresult`, an `int`.
    private static final String FUNCTIONS =
            """
            cuInit(int)
            cuDriverGetVersion(pointer)
            cuGetErrorName(int, pointer)
            cuGetErrorString(int, pointer)
            cuDeviceGetCount(pointer)
            cuDeviceGet(pointer, int)
            cuDeviceGetName(pointer, int, int)
            cuDeviceGetAttribute(pointer, int, int)
            cuDeviceTotalMem_v2(pointer, int)
            cuDevicePrimaryCtxRetain(pointer, int)
            cuDevicePrimaryCtxRelease_v2(int)
            cuCtxSetCurrent(pointer)
            cuCtxSynchronize()
            cuModuleLoadDataEx(pointer, pointer, int, pointer, pointer)
            cuModuleUnload(pointer)
            cuModuleGetFunction(pointer, pointer, pointer)
            cuModuleGetGlobal_v2(pointer, pointer, pointer, pointer)
            cuFuncGetAttribute(pointer, int, pointer)
            cuFuncSetAttribute(pointer, int, int)
            cuLaunchKernel(pointer, int, int, int, int, int, int, int, pointer, pointer, pointer)
            cuLaunchKernelEx(pointer, pointer, pointer, pointer)
            cuMemAlloc_v2(pointer, long)
            cuMemFree_v2(long)
            cuMemAllocHost_v2(pointer, long)
            cuMemFreeHost(pointer)
            cuMemcpyHtoD_v2(long, pointer, long)
            cuMemcpyDtoH_v2(pointer, long, long)
            cuMemcpyHtoDAsync_v2(long, pointer, long, pointer)
            cuMemcpyDtoHAsync_v2(pointer, long, long, pointer)
            cuMemsetD8Async(long, byte, long, pointer)
            cuMemsetD32Async(long, int, long, pointer)
            cuStreamCreate(pointer, int)
            cuStreamSynchronize(pointer)
            cuStreamDestroy_v2(pointer)
            cuEventCreate(pointer, int)
            cuEventRecord(pointer, pointer)
            cuEventSynchronize(pointer)
            cuEventQuery(pointer)
            cuEventElapsedTime(pointer, pointer, pointer)
            cuEventDestroy_v2(pointer)
            cuTensorMapEncodeTiled(pointer, int, int, long, pointer, pointer, pointer, pointer, \
            int, int, int, int)
            cuTensorMapEncodeIm2col(pointer, int, int, long, pointer, pointer, pointer, pointer, \
            int, int, pointer, int, int, int, int)
            cuArray3DCreate_v2(pointer, pointer)
            cuArrayDestroy(pointer)
            cuMipmappedArrayCreate(pointer, pointer, int)
            cuMipmappedArrayGetLevel(pointer, pointer, int)
            cuMipmappedArrayDestroy(pointer)
            cuMemcpy3D_v2(pointer)
            cuTexObjectCreate(pointer, pointer, pointer, pointer)
            cuTexObjectDestroy(long)
            cuSurfObjectCreate(pointer, pointer)
            cuSurfObjectDestroy(long)
            """;

    private final Map<String, MethodHandle> functions = new HashMap<>();

    private DriverApi() {}

    /// Opens a library, which stays loaded as long as `arena` lives, and binds every function.
    ///
    /// @throws DriverUnavailableException if the library cannot be opened or lacks a function
    @SuppressWarnings("restricted") // native memory and code are what this package is about
    static DriverApi bind(String library, Arena arena) {
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(library, arena);
        } catch (IllegalArgumentException _) {
            throw new DriverUnavailableException(
                    "no NVIDIA driver here: the library "
                            + library
                            + " cannot be opened. Everything but the GPU works without it; it comes"
                            + " with the NVIDIA driver, and LD_LIBRARY_PATH may name its folder");
        }
        DriverApi bound = new DriverApi();
        signatures()
                .forEach(
                        (symbol, signature) ->
                                bound.functions.put(
                                        symbol.replaceFirst("_v\\d$", ""),
                                        downcall(symbols, library, symbol, signature)));
        return bound;
    }

    @SuppressWarnings("restricted") // native memory and code are what this package is about
    private static MethodHandle downcall(
            SymbolLookup symbols, String library, String symbol, FunctionDescriptor signature) {
        MemorySegment function =
                symbols.find(symbol)
                        .orElseThrow(
                                () ->
                                        new DriverUnavailableException(
                                                "the NVIDIA driver is too old: %s has no function %s; CUDA 12.0 or newer is needed"
                                                        .formatted(library, symbol)));
        return Linker.nativeLinker()
                .downcallHandle(function, signature)
                .asSpreader(Object[].class, signature.argumentLayouts().size());
    }

    /// The signature of every symbol.
    static Map<String, FunctionDescriptor> signatures() {
        Map<String, FunctionDescriptor> signatures = new HashMap<>();
        for (String line : FUNCTIONS.lines().toList()) {
            String[] words = line.split("[(), ]+", -1);
            MemoryLayout[] parameters =
                    Arrays.stream(words, 1, words.length - 1)
                            .map(DriverApi::layout)
                            .toArray(MemoryLayout[]::new);
            signatures.put(words[0], FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
        }
        return signatures;
    }

    private static MemoryLayout layout(String type) {
        return switch (type) {
            case "int" -> ValueLayout.JAVA_INT;
            case "long" -> ValueLayout.JAVA_LONG;
            case "byte" -> ValueLayout.JAVA_BYTE;
            case "pointer" -> ValueLayout.ADDRESS;
            default -> throw new IllegalArgumentException(type);
        };
    }

    /// Calls a function; its result is the `CUresult`.
    int call(String function, Object... arguments) {
        MethodHandle handle = functions.get(function);
        if (handle == null) {
            throw new IllegalArgumentException(function + " is not bound");
        }
        try {
            return (int) handle.invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(function + " could not be called", e);
        }
    }
}
