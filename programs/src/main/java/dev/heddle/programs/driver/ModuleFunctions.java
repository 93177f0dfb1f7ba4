package dev.heddle.programs.driver;

import static dev.heddle.programs.host.CudaException.orRefuse;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Memory.Allocation;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.runtime.LaunchConfiguration;
import dev.heddle.programs.runtime.LaunchConfiguration.Dimensions;
import dev.heddle.programs.runtime.LaunchFunctions;
import dev.heddle.vm.LoadedModule;
import dev.heddle.vm.ir.Code;
import dev.heddle.vm.memory.Buffer;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/// CUDA Driver API: modules and libraries, their functions and variables, launches.
public final class ModuleFunctions {
    private static final int FILE_NOT_FOUND = 301;

    /// `CU_MODULE_LAZY_LOADING`.
    private static final int LAZY = 2;

    private final Device device;
    private final LaunchFunctions launches;
    private final Map<Long, LoadedModule> modules = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong(0xa000_0000L);

    /// The module of each kernel that a program was given.
    private final Map<Long, Long> owners = new ConcurrentHashMap<>();

    /// Functions on a device.
    public ModuleFunctions(Device device, LaunchFunctions launches) {
        this.device = device;
        this.launches = launches;
    }

    /// Loads PTX or a fat binary from memory. Most programs of the driver do: a line of the table
    /// would take milliseconds of each.
    public void cuModuleLoadData(long into, long image) {
        cuModuleLoadDataEx(into, image, 0, 0, 0);
    }

    /// The same, and tells what the options ask for.
    public void cuModuleLoadDataEx(long into, long image, int count, long options, long values) {
        long handle = next.addAndGet(16);
        JitOptions told = new JitOptions(count, options, values);
        modules.put(handle, told.tell(() -> device.modules().load(image)));
        Host.putLong(into, handle);
    }

    /// The same from a file.
    public void loadFile(long into, long file, int count, long options, long values) {
        withFile(file, (image, _) -> cuModuleLoadDataEx(into, image, count, options, values));
    }

    /// Does something with the contents of a file, behind which a zero stands.
    static void withFile(long path, BiConsumer<Long, Long> use) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = Files.readAllBytes(Path.of(Host.text(path)));
            MemorySegment data = arena.allocate(bytes.length + 1L, 16);
            MemorySegment.copy(bytes, 0, data, ValueLayout.JAVA_BYTE, 0, bytes.length);
            use.accept(data.address(), (long) bytes.length);
        } catch (IOException _) {
            throw new CudaException(FILE_NOT_FOUND);
        }
    }

    /// Forgets a module; its variables stay until the end.
    public void cuModuleUnload(long module) {
        module(module);
        modules.remove(module);
    }

    private LoadedModule module(long handle) {
        return orRefuse(modules.get(handle), ErrorCode.INVALID_RESOURCE_HANDLE);
    }

    /// A kernel of a module.
    public void cuModuleGetFunction(long into, long module, long name) {
        Host.putLong(into, function(module, Host.text(name)));
    }

    private long function(long module, String name) {
        long handle = device.modules().handle(module(module), name);
        owners.put(handle, module);
        return handle;
    }

    private List<String> kernels(long module) {
        return module(module).program().codes().stream()
                .filter(Code::kernel)
                .map(Code::name)
                .toList();
    }

    /// How many kernels a module has.
    public void cuModuleGetFunctionCount(long into, long module) {
        Host.putInt(into, kernels(module).size());
    }

    /// The kernels of a module, as many as there is room for.
    public void cuModuleEnumerateFunctions(long into, int room, long module) {
        List<String> names = kernels(module);
        for (int i = 0; i < Math.min(room, names.size()); i++) {
            Host.putLong(into + 8L * i, function(module, names.get(i)));
        }
    }

    /// The module of a kernel.
    public void cuFuncGetModule(long into, long function) {
        Long module = orRefuse(owners.get(function), ErrorCode.INVALID_RESOURCE_HANDLE);
        Host.putLong(into, module);
    }

    /// Whether a kernel is loaded: what is known is.
    public void cuFuncIsLoaded(long into, long function) {
        device.modules().kernel(function);
        Host.putInt(into, 1);
    }

    /// Nothing is left to be done.
    public void cuFuncLoad(long function) {
        device.modules().kernel(function);
    }

    /// Modules of programs are loaded when something in them is first used.
    public void cuModuleGetLoadingMode(long into) {
        Host.putInt(into, LAZY);
    }

    /// A variable of a module, and its size.
    public void cuModuleGetGlobal(long into, long bytes, long module, long name) {
        Buffer variable =
                orRefuse(module(module).variable(Host.text(name)), ErrorCode.SYMBOL_NOT_FOUND);
        Host.putLongIfAsked(into, variable.address());
        Host.putLongIfAsked(bytes, variable.bytes());
    }

    /// Launches a kernel with pointers to its arguments, or with all of them in one block.
    public void cuLaunchKernel(
            long function,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int dynamic,
            long stream,
            long arguments,
            long extra) {
        launches.launch(
                function,
                unpacked(gridX, gridY, gridZ, blockX, blockY, blockZ, dynamic, stream),
                arguments,
                extra);
    }

    /// A configuration as the driver's launches hand it over.
    public static LaunchConfiguration unpacked(
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int dynamic,
            long stream) {
        return LaunchConfiguration.plain(
                new Dimensions(gridX, gridY, gridZ),
                new Dimensions(blockX, blockY, blockZ),
                dynamic,
                stream);
    }

    // Libraries: modules that belong to no context. Here they are modules.

    /// Its module is itself.
    public void cuLibraryGetModule(long into, long library) {
        module(library);
        Host.putLong(into, library);
    }

    /// A managed variable of a library, and its size.
    public void cuLibraryGetManaged(long into, long bytes, long library, long name) {
        Buffer variable = module(library).variable(Host.text(name));
        Allocation allocation = variable == null ? null : device.memory().at(variable.address());
        if (allocation == null || !allocation.kind().isManaged()) {
            throw new CudaException(ErrorCode.SYMBOL_NOT_FOUND);
        }
        cuModuleGetGlobal(into, bytes, library, name);
    }

    /// A function that host and device call by the same address: there are none, nor on an H100.
    public void cuLibraryGetUnifiedFunction(long into, long library, long name) {
        module(library);
        throw new CudaException(ErrorCode.INVALID_VALUE);
    }

    /// A kernel's function is itself.
    public void cuKernelGetFunction(long into, long kernel) {
        device.modules().kernel(kernel);
        Host.putLong(into, kernel);
    }
}
