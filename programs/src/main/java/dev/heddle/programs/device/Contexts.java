package dev.heddle.programs.device;

import static dev.heddle.programs.host.CudaException.orRefuse;
import static dev.heddle.programs.host.CudaException.refuseIf;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.ErrorCode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/// The contexts of the device, and which of them is current in a thread of the host (CUDA Driver
/// API 6.7 to 6.9): the primary one, which the runtime uses, and those that a program makes. All
/// share the device's memory, streams and modules; what was allocated in one goes with it.
public final class Contexts {
    private static final long FIRST_HANDLE = 0x9000_0010L;
    private static final int HANDLES = 16;

    private final Map<Long, Context> all = new ConcurrentHashMap<>();
    private final Context primary = new Context(FIRST_HANDLE);
    private final ThreadLocal<Deque<Context>> current = ThreadLocal.withInitial(ArrayDeque::new);
    private final LongConsumer ended;
    private volatile boolean initialized;
    private int users;
    private volatile boolean usedByRuntime;
    private long made;

    /// Contexts of a device.
    ///
    /// @param ended gives back what a context had, by its handle
    Contexts(LongConsumer ended) {
        this.ended = ended;
        all.put(primary.handle, primary);
    }

    private static final class Context {
        private final long handle;
        private volatile boolean lives;
        private volatile int flags;
        private long id;

        private Context(long handle) {
            this.handle = handle;
        }
    }

    /// `cuInit` was called.
    public void initialize() {
        initialized = true;
    }

    /// Asks whether anything began.
    ///
    /// @throws CudaException where nobody called `cuInit`, or the runtime
    public void requireInitialized() {
        refuseIf(!initialized, ErrorCode.INITIALIZATION_ERROR);
    }

    /// Asks for a context.
    ///
    /// @throws CudaException where this thread has no current one, or it was destroyed
    public void requireCurrent() {
        requireInitialized();
        Context top = orRefuse(current.get().peek(), ErrorCode.INVALID_CONTEXT);
        refuseIf(!top.lives, ErrorCode.CONTEXT_IS_DESTROYED);
    }

    /// The runtime is called: without a current context it takes the primary one.
    ///
    /// @throws CudaException where the current one was destroyed
    public void enterRuntime() {
        Context top = current.get().peek();
        if (top == null || top == primary) {
            usePrimary();
        } else {
            refuseIf(!top.lives, ErrorCode.CONTEXT_IS_DESTROYED);
        }
    }

    /// The primary context is current now.
    public void usePrimary() {
        if (!usedByRuntime || !primary.lives) {
            startPrimary();
        }
        if (current.get().peek() != primary) {
            replace(primary);
        }
    }

    /// The runtime takes the primary context, which is current in no other thread for that.
    public synchronized void startPrimary() {
        initialized = true;
        usedByRuntime = true;
        start(primary);
    }

    private void start(Context context) {
        if (!context.lives) {
            made++;
            context.id = made;
            context.lives = true;
        }
    }

    private void replace(Context context) {
        Deque<Context> stack = current.get();
        stack.poll();
        stack.push(context);
    }

    /// One user more of the primary context; its handle.
    public synchronized long retainPrimary() {
        users++;
        start(primary);
        return primary.handle;
    }

    /// One user less of the primary context, which ends with the last.
    ///
    /// @throws CudaException where it has none
    public synchronized void releasePrimary() {
        refuseIf(users == 0, ErrorCode.INVALID_CONTEXT);
        users--;
        if (users == 0 && !usedByRuntime) {
            end(primary);
        }
    }

    /// Ends the primary context, whoever uses it; threads in which it is current keep it so.
    public synchronized void resetPrimary() {
        usedByRuntime = false;
        primary.flags = 0;
        end(primary);
    }

    private void end(Context context) {
        ended.accept(context.handle);
        context.lives = false;
    }

    /// Whether the primary context has users.
    public boolean isPrimaryActive() {
        return primary.lives;
    }

    /// How the host waits in the primary context: a hint.
    public int primaryFlags() {
        return primary.flags;
    }

    /// Gives that hint.
    public void setPrimaryFlags(int flags) {
        primary.flags = flags;
    }

    /// A new context, which is current now; its handle.
    public synchronized long create(int flags) {
        Context context = new Context(FIRST_HANDLE + HANDLES * (long) all.size());
        context.flags = flags;
        start(context);
        all.put(context.handle, context);
        current.get().push(context);
        return context.handle;
    }

    /// Ends a context that a program made; this thread's next one is current then.
    ///
    /// @throws CudaException where there is none
    public synchronized void destroy(long handle) {
        refuseIf(handle == 0, ErrorCode.INVALID_VALUE);
        Context context = living(handle);
        refuseIf(context == primary, ErrorCode.INVALID_CONTEXT);
        end(context);
        if (current.get().peek() == context) {
            current.get().pop();
        }
    }

    private Context living(long handle) {
        Context context = known(handle);
        refuseIf(!context.lives, ErrorCode.INVALID_CONTEXT);
        return context;
    }

    private Context known(long handle) {
        return orRefuse(all.get(handle), ErrorCode.INVALID_CONTEXT);
    }

    /// Requires that a context is there.
    ///
    /// @throws CudaException where there is none of this handle, or it was destroyed
    public void require(long handle) {
        living(handle);
    }

    /// The handle of this thread's current context, or 0.
    public long current() {
        Context top = current.get().peek();
        return top == null ? 0 : top.handle;
    }

    /// Puts a context in the place of the current one; 0 takes that away.
    ///
    /// @throws CudaException where there is none
    public void setCurrent(long handle) {
        if (handle == 0) {
            current.get().poll();
        } else {
            replace(known(handle));
        }
    }

    /// Makes a context current before the one that is.
    ///
    /// @throws CudaException where there is none
    public void push(long handle) {
        refuseIf(handle == 0, ErrorCode.INVALID_VALUE);
        current.get().push(known(handle));
    }

    /// Lets the context be current that was so before; the handle of the one until now.
    ///
    /// @throws CudaException where there is none
    public long pop() {
        @Nullable Context top = current.get().poll();
        return orRefuse(top, ErrorCode.INVALID_CONTEXT).handle;
    }

    /// A number that no other context has or had; of the current one for 0.
    ///
    /// @throws CudaException where there is none
    public long id(long handle) {
        return living(handle == 0 ? current() : handle).id;
    }

    /// How the host waits in the current context: a hint.
    ///
    /// @throws CudaException where there is none
    public int flags() {
        return known(current()).flags;
    }

    /// Gives that hint.
    ///
    /// @throws CudaException where there is none
    public void setFlags(int flags) {
        known(current()).flags = flags;
    }
}
