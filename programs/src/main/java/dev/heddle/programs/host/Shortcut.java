package dev.heddle.programs.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

/// Whether the native library may copy and fill by itself, without Java: while no stream has work,
/// and nothing forbids it. `quick` of `heddle.c` says what it must find out besides.
///
/// What it does so counts as done before whatever work is given next, which waits for it.
public final class Shortcut {
    private static final int NOTHING = 0;
    private static final int WHAT_THE_HOST_WAITS_FOR = 1;
    private static final int FILLS_TOO = 2;

    private static final VarHandle ALLOWED = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment allowed;
    private final MethodHandle awaitUsers;
    private int obstacles;
    private boolean isFollowed;

    private Shortcut(MemorySegment allowed, MethodHandle awaitUsers) {
        this.allowed = allowed;
        this.awaitUsers = awaitUsers;
        allow();
    }

    /// That of the library.
    ///
    /// @param allowed its word that says what it may do
    /// @param awaitUsers its function that returns when no thread does any more what it may not
    @SuppressWarnings("restricted") // a function of our own library
    public static Shortcut of(MemorySegment allowed, long awaitUsers) {
        return new Shortcut(
                allowed,
                Linker.nativeLinker()
                        .downcallHandle(
                                MemorySegment.ofAddress(awaitUsers), FunctionDescriptor.ofVoid()));
    }

    /// One that no library takes.
    public static Shortcut unused() {
        return new Shortcut(
                Arena.ofAuto().allocate(ValueLayout.JAVA_INT),
                MethodHandles.empty(MethodType.methodType(void.class)));
    }

    /// From here on it may not, until that is taken back; what it does is done when this returns.
    public synchronized void forbid() {
        obstacles++;
        allow();
        try {
            awaitUsers.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Takes back one [#forbid].
    public synchronized void unforbid() {
        obstacles--;
        allow();
    }

    /// Whether it matters what is accessed by work that the host does not wait for.
    public synchronized void follow(boolean matters) {
        isFollowed = matters;
        allow();
    }

    private void allow() {
        int what = isFollowed ? WHAT_THE_HOST_WAITS_FOR : FILLS_TOO;
        ALLOWED.setVolatile(allowed, 0L, obstacles > 0 ? NOTHING : what);
    }
}
