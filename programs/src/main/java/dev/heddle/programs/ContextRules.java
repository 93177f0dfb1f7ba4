package dev.heddle.programs;

import dev.heddle.programs.device.Contexts;
import dev.heddle.programs.device.Device;
import dev.heddle.programs.host.Resources;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What functions ask of the thread that calls them: a current context, or `cuInit` at least; and
/// of the device, that it has not failed. `contexts.txt` says which.
final class ContextRules {
    /// How names of versions of a function end, and those for the default stream of a thread.
    private static final Pattern VERSION = Pattern.compile("(_v\\d)?(_pts[zd]s?)?$");

    private final Device device;
    private final Set<String> inContext = new HashSet<>();
    private final Set<String> beforeInit = new HashSet<>();
    private final Set<String> outside = new HashSet<>();

    ContextRules(Device device) throws IOException {
        this.device = device;
        for (String line : Resources.lines("contexts.txt")) {
            int space = line.indexOf(' ');
            Set<String> named =
                    switch (line.substring(0, space)) {
                        case "context" -> inContext;
                        case "driver" -> beforeInit;
                        case "runtime" -> outside;
                        default -> throw new IllegalStateException(line);
                    };
            named.addAll(List.of(line.substring(space + 1).split(" ")));
        }
    }

    /// What is asked before a function.
    ///
    /// @param always whether it answers when the device has failed, too
    Runnable before(String name, boolean always) {
        Runnable ofThread = ofThread(VERSION.matcher(name).replaceAll(""));
        return always
                ? ofThread
                : () -> {
                    ofThread.run();
                    device.requireHealthy();
                };
    }

    private Runnable ofThread(String name) {
        Contexts contexts = device.contexts();
        if (name.startsWith("cuda")) {
            return outside.contains(name) ? contexts::initialize : contexts::enterRuntime;
        }
        if (name.startsWith("cu")) {
            return inContext.contains(name)
                    ? contexts::requireCurrent
                    : beforeInit.contains(name) ? () -> {} : contexts::requireInitialized;
        }
        return name.equals("__cudaLaunchKernel") ? contexts::enterRuntime : () -> {};
    }
}
