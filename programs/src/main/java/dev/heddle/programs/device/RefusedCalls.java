package dev.heddle.programs.device;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Calls of the runtime that were refused, of which their threads have not asked since
/// (`cudaGetLastError`): the first of each thread.
public final class RefusedCalls {
    private final Map<Thread, Refused> unasked = new ConcurrentHashMap<>();

    /// A call that was refused.
    ///
    /// @param function its name
    /// @param error the name of the error that it answered
    /// @param from an address of the host's code behind the call; 0 where it is not known
    public record Refused(String function, String error, long from) {
        /// Whether it was a launch: `<<<...>>>` answers nothing, so that all of it is lost. It asks
        /// for its kernel first.
        boolean isLaunch() {
            return function.startsWith("cudaLaunch") || function.equals("cudaGetKernel");
        }
    }

    /// This thread's call was refused.
    public void add(Refused call) {
        unasked.putIfAbsent(Thread.currentThread(), call);
    }

    /// This thread asks for its last error.
    public void asked() {
        unasked.remove(Thread.currentThread());
    }

    List<Refused> all() {
        return List.copyOf(unasked.values());
    }
}
