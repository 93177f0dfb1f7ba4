package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.fatbin.DeviceImage;
import dev.heddle.programs.fatbin.FatBinary;
import dev.heddle.programs.fatbin.LinkedText;
import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;
import dev.heddle.programs.host.Host;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.Variable;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.ptx.check.InvalidModule;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.LoadedModule;
import dev.heddle.vm.Session;
import dev.heddle.vm.memory.Buffer;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The modules of a program, each loaded when something in it is first used.
public final class Modules {
    private static final int WRAPPER_MAGIC = 0x4662_43b1;

    private static final int ELF_MAGIC = 0x464c_457f;
    private static final int LINKED_VERSION = 2;

    private final Session session;
    private final Registrations registrations;
    private final Memory memory;
    private final int capability;
    private long nextHandle = 0xb000_0000L;
    private int named;
    private final Map<Long, LoadedModule> loaded = new HashMap<>();
    private final Map<Long, Kernel> kernels = new HashMap<>();

    Modules(Session session, Registrations registrations, Memory memory, int capability) {
        this.session = session;
        this.registrations = registrations;
        this.memory = memory;
        this.capability = capability;
    }

    /// The kernel that a host function stands for.
    ///
    /// @throws CudaException where it stands for none, or its module cannot be loaded
    public synchronized Kernel kernel(long host) {
        Kernel kernel = kernels.get(host);
        if (kernel == null) {
            Registrations.Shadow shadow =
                    orRefuse(
                            registrations.function(host),
                            host == 0
                                    ? ErrorCode.INVALID_DEVICE_FUNCTION
                                    : ErrorCode.INVALID_RESOURCE_HANDLE);
            kernel = kernel(module(shadow.binary()), shadow.name());
            kernels.put(host, kernel);
        }
        return kernel;
    }

    /// The kernel that a function of the program's code stands for.
    ///
    /// @throws CudaException where it stands for none, or its module cannot be loaded
    public Kernel ofSymbol(long host) {
        if (registrations.function(host) == null) {
            throw new CudaException(ErrorCode.INVALID_DEVICE_FUNCTION);
        }
        return kernel(host);
    }

    private static Kernel kernel(LoadedModule module, String name) {
        try {
            return module.kernel(name);
        } catch (IllegalArgumentException _) {
            throw new CudaException(ErrorCode.INVALID_DEVICE_FUNCTION);
        }
    }

    /// Loads an image that the driver was given.
    public synchronized LoadedModule load(long image) {
        return load(text(image), "module%d.ptx".formatted(++named));
    }

    /// The PTX of an image that the driver was given: text, or a fat binary with or without
    /// wrapper.
    public String text(long image) {
        return switch (Host.getInt(image)) {
            case WRAPPER_MAGIC -> text(binaries(image));
            case FatBinary.MAGIC -> text(List.of(images(image)));
            case ELF_MAGIC -> {
                System.err.println(
                        "heddle: a module of machine code (SASS): only PTX can be loaded");
                throw new CudaException(ErrorCode.NO_KERNEL_IMAGE_FOR_DEVICE);
            }
            default -> Host.text(image);
        };
    }

    /// The handle of a kernel, to be used as that of a host function.
    public synchronized long handle(LoadedModule module, String name) {
        Kernel kernel;
        try {
            kernel = module.kernel(name);
        } catch (IllegalArgumentException _) {
            throw new CudaException(ErrorCode.SYMBOL_NOT_FOUND);
        }
        nextHandle += 16;
        kernels.put(nextHandle, kernel);
        return nextHandle;
    }

    /// The place of the variable that one of the host stands for.
    ///
    /// @throws CudaException where it stands for none
    public synchronized Buffer variable(long host) {
        Registrations.Shadow shadow =
                orRefuse(registrations.variable(host), ErrorCode.INVALID_SYMBOL);
        Buffer place =
                orRefuse(module(shadow.binary()).variable(shadow.name()), ErrorCode.INVALID_SYMBOL);
        return new Buffer(shadow.name(), place.address(), shadow.bytes());
    }

    /// Loads every module that has managed variables, so that the host can reach them.
    public synchronized void initialize(long binary) {
        if (!registrations.managed(binary).isEmpty()) {
            module(binary);
        }
    }

    private LoadedModule module(long binary) {
        LoadedModule module = loaded.get(binary);
        if (module == null) {
            module =
                    load(
                            text(binaries(registrations.wrapper(binary))),
                            "module%d.ptx".formatted(++named));
            loaded.put(binary, module);
            for (Registrations.Managed managed : registrations.managed(binary)) {
                Buffer place = module.variable(managed.shadow().name());
                if (place != null) {
                    Host.putLong(managed.pointer(), place.address());
                }
            }
        }
        return module;
    }

    /// The fat binaries of a wrapper: one, or those that the device linker left to be linked.
    private static List<List<DeviceImage>> binaries(long wrapper) {
        refuseIf(
                wrapper == 0 || Host.getInt(wrapper) != WRAPPER_MAGIC,
                ErrorCode.INVALID_KERNEL_IMAGE);
        List<List<DeviceImage>> binaries = new ArrayList<>();
        long linked = Host.getLong(wrapper + 16);
        if (Host.getInt(wrapper + 4) == LINKED_VERSION && linked != 0) {
            for (long at = linked; Host.getLong(at) != 0; at += 8) {
                binaries.add(images(Host.getLong(at)));
            }
        } else {
            binaries.add(images(Host.getLong(wrapper + 8)));
        }
        return binaries;
    }

    private static List<DeviceImage> images(long binary) {
        ByteBuffer header = Host.at(binary, 16).asByteBuffer();
        try {
            return FatBinary.read(Host.at(binary, FatBinary.size(header)).asByteBuffer());
        } catch (IllegalArgumentException e) {
            System.err.println("heddle: " + e.getMessage());
            throw new CudaException(ErrorCode.INVALID_KERNEL_IMAGE);
        }
    }

    /// The best of the images for this device, out of each fat binary.
    private String text(List<List<DeviceImage>> binaries) {
        List<String> texts = new ArrayList<>();
        for (List<DeviceImage> images : binaries) {
            DeviceImage best = best(images);
            if (best != null) {
                texts.add(best.text());
            }
        }
        if (texts.isEmpty()) {
            List<DeviceImage> all = binaries.stream().flatMap(List::stream).toList();
            System.err.println("heddle: " + nothingFits(all));
            throw new CudaException(ErrorCode.NO_KERNEL_IMAGE_FOR_DEVICE);
        }
        return LinkedText.of(texts);
    }

    /// Loads a PTX text.
    LoadedModule load(String text, String name) {
        BoundModule bound = valid(text, name);
        try {
            LoadedModule module = session.load(bound);
            for (Variable variable : bound.module().variables()) {
                Buffer place = module.variable(variable.name());
                if (place != null && variable.isManaged()) {
                    memory.adopt(place);
                }
            }
            return module;
        } catch (IllegalArgumentException e) {
            System.err.println("heddle: " + e.getMessage());
            throw new CudaException(ErrorCode.MEMORY_ALLOCATION);
        }
    }

    /// Refuses a PTX text that an assembler would reject, and says why.
    public static void requireValid(String text, String name) {
        valid(text, name);
    }

    private static BoundModule valid(String text, String name) {
        try {
            return BoundModule.of(Ptx.parse(text, name));
        } catch (InvalidModule e) {
            System.err.println("heddle: " + e.getMessage());
            throw new CudaException(ErrorCode.INVALID_PTX, e.report().text());
        }
    }

    private @Nullable DeviceImage best(List<DeviceImage> images) {
        DeviceImage best = null;
        for (DeviceImage image : images) {
            if (image.kind() == DeviceImage.Kind.PTX
                    && image.capability() <= capability
                    && (best == null || image.capability() > best.capability())) {
                best = image;
            }
        }
        return best;
    }

    private String nothingFits(List<DeviceImage> images) {
        TreeSet<Integer> texts = new TreeSet<>();
        for (DeviceImage image : images) {
            if (image.kind() == DeviceImage.Kind.PTX) {
                texts.add(image.capability());
            }
        }
        return texts.isEmpty()
                ? "the program holds machine code (SASS) only, no PTX: build it with"
                        + " -gencode arch=compute_80,code=compute_80"
                : "the device is sm_%d, the program's PTX is for %s: run it with --device sm_%d"
                        .formatted(capability, texts, texts.first());
    }
}
