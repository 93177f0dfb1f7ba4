package dev.heddle.vm.state;

import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.ir.Site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the threads of a grid have started: kernels, copies and fills.
///
/// They run when the grid has ended, those of one CTA in their order, CTA after CTA, and those of
/// the tail launch stream last. A program cannot tell: threads may not wait for what they started,
/// and what different CTAs start has no order.
public final class Started {
    /// `cudaSuccess`.
    public static final int SUCCESS = 0;

    /// `cudaErrorInvalidValue`.
    public static final int INVALID_VALUE = 1;

    /// `cudaErrorMemoryAllocation`.
    public static final int MEMORY_ALLOCATION = 2;

    /// `cudaErrorInvalidConfiguration`.
    public static final int INVALID_CONFIGURATION = 9;

    /// `cudaErrorLaunchPendingCountExceeded`.
    public static final int PENDING_COUNT_EXCEEDED = 69;

    /// `cudaErrorInvalidDeviceFunction`.
    public static final int INVALID_DEVICE_FUNCTION = 98;

    /// More than `cudaLimitDevRuntimePendingLaunchCount` has at first, as nothing runs before the
    /// grid has ended.
    private static final int MOST = 1 << 20;

    /// What was started.
    public sealed interface Work {
        /// A kernel.
        ///
        /// @param code its index in the program
        /// @param grid CTAs in each direction
        /// @param block threads of a CTA in each direction
        /// @param dynamicShared bytes
        /// @param parameters the bytes of its parameter space
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Kernel(int code, Extent grid, Extent block, int dynamicShared, byte[] parameters)
                implements Work {}

        /// A copy.
        record Copy(long from, long to, long bytes) implements Work {}

        /// A fill with a byte.
        record Fill(long address, byte value, long bytes) implements Work {}
    }

    /// Something that was started.
    ///
    /// @param site the call
    /// @param cta the number of the CTA whose thread called
    /// @param tail whether it waits for everything else that the grid starts
    /// @param work what is to be done
    public record Start(Site site, long cta, boolean tail, Work work) {}

    /// What a thread asked for before it fills in the parameters of a launch.
    public sealed interface Prepared {
        /// All else is known.
        ///
        /// @param kernel with parameters of zeros
        record Launch(Work.Kernel kernel) implements Prepared {}

        /// So many bytes: the launch itself tells all else.
        record Parameters(int bytes) implements Prepared {}
    }

    private final List<Start> starts = new ArrayList<>();
    private final Map<Long, Prepared> prepared = new HashMap<>();
    private final Map<Long, Integer> errors = new HashMap<>();

    /// A launch whose parameters are to be written at an address.
    public synchronized void prepare(long address, Prepared launch) {
        prepared.put(address, launch);
    }

    /// Takes the launch whose parameters are at an address.
    ///
    /// @return none where there is none
    public synchronized Optional<Prepared> take(long address) {
        return Optional.ofNullable(prepared.remove(address));
    }

    /// Where launches were prepared that never came.
    public synchronized List<Long> left() {
        return List.copyOf(prepared.keySet());
    }

    /// Adds what is to run; returns an error code.
    public synchronized int add(Start start) {
        if (starts.size() >= MOST) {
            return PENDING_COUNT_EXCEEDED;
        }
        starts.add(start);
        return SUCCESS;
    }

    /// Whether nothing was started.
    public synchronized boolean isEmpty() {
        return starts.isEmpty() && prepared.isEmpty();
    }

    /// All that is to run, in the order in which it runs.
    public synchronized List<Start> inOrder() {
        return starts.stream()
                .sorted(Comparator.comparing(Start::tail).thenComparingLong(Start::cta))
                .toList();
    }

    /// Keeps the last error of a thread; returns it.
    public synchronized int fail(long thread, int code) {
        if (code != SUCCESS) {
            errors.put(thread, code);
        }
        return code;
    }

    /// The last error of a thread.
    ///
    /// @param forget whether it is none from then on
    public synchronized int lastError(long thread, boolean forget) {
        Integer code = forget ? errors.remove(thread) : errors.get(thread);
        return code == null ? SUCCESS : code;
    }
}
