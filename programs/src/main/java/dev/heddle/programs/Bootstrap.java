package dev.heddle.programs;

import dev.heddle.programs.device.Device;
import dev.heddle.programs.device.Registrations;
import dev.heddle.programs.host.EntryPoints;
import dev.heddle.programs.host.Host;
import dev.heddle.programs.host.HostCode;
import dev.heddle.programs.host.NativeLibrary;
import dev.heddle.programs.host.ReservedStorage;
import dev.heddle.programs.host.Settings;
import dev.heddle.programs.host.Shortcut;
import dev.heddle.vm.memory.Storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/// Where the native library enters Java. `shared` is the structure of that name in `heddle.c`.
final class Bootstrap {
    private static final int ENTRIES = 8;
    private static final int MEMORY = 24;
    private static final int MARKS = 32;
    private static final int BYTES = 40;
    private static final int FIRST = 48;
    private static final int SITE = 56;
    private static final int LINK = 64;
    private static final int FINISH = 72;
    private static final int SETTLE = 80;
    private static final int WHOLE_BLOCKS = 88;
    private static final int TOOLKIT = 96;
    private static final int ALLOWED = 100;
    private static final int AWAIT_USERS = 112;

    private final long shared;
    private final List<String> names;
    private final EntryPoints functions;
    private final Device device;

    private Bootstrap(long shared) throws IOException {
        this.shared = shared;
        names = NativeLibrary.functions();
        Settings settings = Settings.ofProperties();
        long bytes = Host.getLong(shared + BYTES);
        ReservedStorage storage =
                new ReservedStorage(
                        Host.at(Host.getLong(shared + MEMORY), bytes),
                        Host.at(Host.getLong(shared + MARKS), bytes),
                        Host.at(Host.getLong(shared + WHOLE_BLOCKS), Storage.blocks(bytes)));
        HostCode host = new HostCode(Host.getLong(shared + SITE));
        Shortcut shortcut =
                Shortcut.of(
                        Host.at(shared + ALLOWED, Integer.BYTES),
                        Host.getLong(shared + AWAIT_USERS));
        device = new Device(settings, storage, new Registrations(shared + FIRST), host, shortcut);
        functions = CudaFunctions.of(device, this::entry);
    }

    /// The function of a name that the library exports, which keeps from where it is called; 0
    /// where there is none.
    private long entry(String name) {
        int index = names.indexOf(name);
        return index < 0 ? 0 : Host.getLong(Host.getLong(shared + ENTRIES) + 8L * index);
    }

    /// Called once, by the native library.
    ///
    /// @param shared the address of its structure
    static void start(long shared) throws IOException, ReflectiveOperationException {
        Bootstrap bootstrap = new Bootstrap(shared);
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Host.putLong(
                shared + LINK,
                stub(
                        lookup.bind(
                                bootstrap, "link", MethodType.methodType(long.class, int.class)),
                        FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT)));
        Host.putLong(
                shared + FINISH,
                stub(
                        lookup.bind(
                                bootstrap, "finish", MethodType.methodType(int.class, int.class)),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));
        Host.putLong(
                shared + SETTLE,
                stub(
                        lookup.bind(bootstrap.device, "settle", MethodType.methodType(void.class)),
                        FunctionDescriptor.ofVoid()));
    }

    @SuppressWarnings("restricted") // C calls Java by such stubs
    private static long stub(MethodHandle handle, FunctionDescriptor descriptor) {
        MemorySegment stub = Linker.nativeLinker().upcallStub(handle, descriptor, Arena.global());
        return stub.address();
    }

    synchronized long link(int index) {
        try {
            return functions.address(names.get(index), Host.getInt(shared + TOOLKIT));
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(names.get(index), e);
        }
    }

    int finish(int status) {
        try {
            return device.finish(status);
        } catch (RuntimeException e) {
            System.err.println("heddle: " + e);
            return status;
        }
    }
}
