package dev.heddle.programs.host;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Whether the native library may copy and fill by itself, without Java: while no stream has work,
/// and nothing forbids it. `quick` of `heddle.c` says what it must find out besides.
///
/// What it does so counts as done before whatever work is given next, which waits for it.
public final class Shortcut {
    /// Of the words that are shared with the library: what it may do, and how many threads do it.
    public static final int BYTES = 8;

    private static final int NOTHING = 0;
    private static final int WHAT_THE_HOST_WAITS_FOR = 1;
    private static final int FILLS_TOO = 2;

    private static final VarHandle ALLOWED = ValueLayout.JAVA_INT.varHandle();
    private static final long USERS = 4;

    private final MemorySegment words;
    private int obstacles;
    private boolean isFollowed;

    /// @param words that are shared with the library
    public Shortcut(MemorySegment words) {
        this.words = words;
        allow();
    }

    /// One that no library takes.
    public static Shortcut unused() {
        return new Shortcut(Arena.ofAuto().allocate(BYTES, Integer.BYTES));
    }

    /// From here on it may not, until that is taken back; what it does is done when this returns.
    public synchronized void forbid() {
        obstacles++;
        allow();
        while ((int) ALLOWED.getVolatile(words, USERS) != 0) {
            Thread.onSpinWait();
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
        ALLOWED.setVolatile(words, 0L, obstacles > 0 ? NOTHING : what);
    }
}
