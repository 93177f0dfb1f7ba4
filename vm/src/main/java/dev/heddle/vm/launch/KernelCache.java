package dev.heddle.vm.launch;

import dev.heddle.ptx.LoadLimit;
import dev.heddle.ptx.Ptx;
import dev.heddle.ptx.check.BoundModule;
import dev.heddle.vm.Kernel;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The modules read last: launches of the same kernels share what was compiled for them. Threads
/// may share it.
public final class KernelCache {
    private static final int KEPT = 16;

    private record Key(Path ptx, List<String> entries) {}

    private final LinkedHashMap<Key, List<Kernel>> kernels = new LinkedHashMap<>();
    private final Map<Path, String> texts = new HashMap<>();

    /// Takes a module that is in no file.
    ///
    /// @param ptx what messages call it
    public synchronized void hold(Path ptx, String text) {
        texts.put(ptx, text);
    }

    /// Kernels of one module, which share its variables.
    ///
    /// @param entries their names, as [Kernel#read(Path, String)] takes them
    /// @throws IOException where the file cannot be read
    /// @param time that a module not read yet may take
    /// @throws IllegalArgumentException where the text does not parse or has no such kernel
    public synchronized List<Kernel> of(Path ptx, List<String> entries, Duration time)
            throws IOException {
        Key key = new Key(ptx, List.copyOf(entries));
        List<Kernel> found = kernels.remove(key);
        if (found == null) {
            found = LoadLimit.within(ptx.toString(), time, () -> read(ptx, entries));
            if (kernels.size() == KEPT) {
                kernels.pollFirstEntry();
            }
        }
        kernels.putLast(key, found);
        return found;
    }

    private List<Kernel> read(Path ptx, List<String> entries) throws IOException {
        String text = texts.get(ptx);
        return text == null
                ? Kernel.read(ptx, entries)
                : Kernel.of(BoundModule.of(Ptx.parse(text, ptx.toString())), entries);
    }
}
