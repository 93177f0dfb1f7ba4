package dev.heddle.programs.device;

import dev.heddle.programs.host.Host;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the program's static constructors registered: fat binaries, and by the addresses of their
/// shadows in the host's code, kernels and variables. `heddle.c` keeps the list; here it is read as
/// far as it has grown.
public final class Registrations {
    private static final int KIND = 0;
    private static final int HANDLE = 8;
    private static final int ARGUMENTS = 16;
    private static final int NEXT = 64;

    private static final int FAT_BINARY = 0;
    private static final int FUNCTION = 1;
    private static final int VARIABLE = 2;
    private static final int MANAGED = 3;

    private final Map<Long, Long> binaries = new LinkedHashMap<>();
    private final Map<Long, Shadow> functions = new HashMap<>();
    private final Map<Long, Shadow> variables = new HashMap<>();
    private final Map<Long, Managed> managed = new LinkedHashMap<>();
    private long next;

    /// A list that begins at the address in this place.
    public Registrations(long first) {
        next = first;
    }

    /// The host's stand-in for something in a fat binary.
    ///
    /// @param binary the handle of the fat binary
    /// @param name in the PTX
    /// @param bytes of a variable
    public record Shadow(long binary, String name, long bytes) {}

    /// A managed variable.
    ///
    /// @param pointer the place of the host's pointer to it
    /// @param shadow what it stands for
    public record Managed(long pointer, Shadow shadow) {}

    /// The kernel that a host function stands for, or null.
    public synchronized @Nullable Shadow function(long host) {
        read();
        return functions.get(host);
    }

    /// The variable that one of the host stands for, or null.
    public synchronized @Nullable Shadow variable(long host) {
        read();
        return variables.get(host);
    }

    /// The address of the wrapper (`__fatBinC_Wrapper_t`) behind a handle, or 0.
    public synchronized long wrapper(long handle) {
        read();
        return binaries.getOrDefault(handle, 0L);
    }

    /// The managed variables of a fat binary.
    public synchronized java.util.List<Managed> managed(long binary) {
        read();
        return managed.values().stream().filter(each -> each.shadow.binary == binary).toList();
    }

    private void read() {
        for (long node = Host.getLong(next); node != 0; node = Host.getLong(next)) {
            add(node);
            next = node + NEXT;
        }
    }

    private void add(long node) {
        long handle = Host.getLong(node + HANDLE);
        long first = Host.getLong(node + ARGUMENTS);
        switch ((int) Host.getLong(node + KIND)) {
            case FAT_BINARY -> binaries.put(handle, first);
            case FUNCTION -> functions.put(first, shadow(node, handle));
            case VARIABLE -> variables.put(first, shadow(node, handle));
            case MANAGED -> {
                managed.put(first, new Managed(first, shadow(node, handle)));
                variables.put(first, shadow(node, handle));
            }
            default -> {
                binaries.remove(handle);
                functions.values().removeIf(each -> each.binary == handle);
                variables.values().removeIf(each -> each.binary == handle);
                managed.values().removeIf(each -> each.shadow.binary == handle);
            }
        }
    }

    private static Shadow shadow(long node, long handle) {
        String name = Host.text(Host.getLong(node + ARGUMENTS + 8));
        return new Shadow(handle, name, Host.getLong(node + ARGUMENTS + 16));
    }
}
