package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/// Fills [DriverApi] from a shared library: one downcall a component, by its annotation.
final class DriverBinder {
    private DriverBinder() {}

    /// Opens the library, which stays loaded as long as `arena` lives, and binds every function.
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
        RecordComponent[] components = DriverApi.class.getRecordComponents();
        Object[] handles = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = MethodHandle.class;
            handles[i] = downcall(components[i], symbols, library);
        }
        try {
            return DriverApi.class.getDeclaredConstructor(types).newInstance(handles);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("DriverFunctions must hold method handles only", e);
        }
    }

    @SuppressWarnings("restricted") // native memory and code are what this package is about
    private static MethodHandle downcall(
            RecordComponent component, SymbolLookup symbols, String library) {
        ForeignFunction function = component.getAnnotation(ForeignFunction.class);
        if (function == null) {
            throw new IllegalStateException(component + " lacks its C signature");
        }
        String symbol = function.symbol().isEmpty() ? component.getName() : function.symbol();
        MemorySegment address =
                symbols.find(symbol)
                        .orElseThrow(
                                () ->
                                        new DriverUnavailableException(
                                                "the NVIDIA driver is too old: "
                                                        + library
                                                        + " has no function "
                                                        + symbol
                                                        + "; CUDA 12.0 or newer is needed"));
        return Linker.nativeLinker().downcallHandle(address, descriptor(function));
    }

    static FunctionDescriptor descriptor(ForeignFunction function) {
        MemoryLayout[] parameters =
                Arrays.stream(function.value())
                        .map(type -> type.layout)
                        .toArray(MemoryLayout[]::new);
        return FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters);
    }
}
