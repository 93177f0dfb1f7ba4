package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;

import org.jspecify.annotations.Nullable;

/// Who accessed a place, when and how, in 64 bits: from above the warp's clock (25 bits), the
/// number of the instruction (20), its kind (7) and the thread (11); threads behind those of the
/// CTA stand for asynchronous operations. Of two stamps the one with the later clock is
/// greater; 0 is nobody's.
public final class Stamp {
    public static final long NOBODY = 0;

    /// Clocks stay at this one: what comes later counts as ordered.
    public static final int LAST_CLOCK = (1 << 24) - 2;

    /// Clocks of asynchronous operations are later than those of all warps: they always ask for a
    /// closer look.
    static final int FIRST_ASYNC = 1 << 24;

    /// The last one of them, at which they stay.
    static final int LAST_ASYNC = (1 << 25) - 2;

    /// The site that stands for those with no number in a stamp.
    public static final int NO_SITE = 0xfffff;

    /// The kind of an access that is not strong. Others have 1 and the binary logarithm of the
    /// bytes, and above it the scope, from 1: only operations on the same bytes in each other's
    /// scopes are morally strong (PTX ISA 8.7).
    public static final int WEAK = 0;

    /// A kind that is none: the place's stamps stand elsewhere.
    static final int MANY = 15;

    /// Bits of the number of a thread in its CTA.
    static final int THREAD_BITS = 11;

    /// Bits that are all set in the stamp of a place whose stamps stand elsewhere.
    public static final int SEVERAL = MANY << THREAD_BITS;

    static final int CLOCK = 38;
    private static final int SITE = 18;
    private static final int KIND = THREAD_BITS;
    private static final int KIND_MASK = (1 << SITE - KIND) - 1;
    private static final int SIZE_BITS = 4;
    private static final int SIZE_MASK = (1 << SIZE_BITS) - 1;
    private static final int THREAD = (1 << THREAD_BITS) - 1;

    /// As many warps as numbers of threads can tell.
    public static final int WARPS = 1 << THREAD_BITS - 5;

    /// The bits of the kind, none of which is set in the stamp of one weak access.
    public static final long KINDS = (long) KIND_MASK << KIND;

    /// The bits of kind and thread.
    public static final int BY_THREAD = (1 << SITE) - 1;

    private static final Scope[] SCOPES = Scope.values();

    /// No later than any asynchronous operation.
    public static final long ASYNC = (long) FIRST_ASYNC << CLOCK;

    /// Later than any clock.
    public static final long LOOK_CLOSER = (1L << 25) - 1 << CLOCK;

    private Stamp() {}

    public static long of(int clock, int site, int kind, int thread) {
        return (long) clock << CLOCK
                | (long) Math.min(site, NO_SITE) << SITE
                | kind << KIND
                | thread;
    }

    /// The greatest stamp of a clock.
    static long last(int clock) {
        return ((long) clock + 1 << CLOCK) - 1;
    }

    /// The kind of a strong access whose scope does not matter: that of threads of one CTA.
    public static int kindOf(int bytes) {
        return 1 + Integer.numberOfTrailingZeros(bytes);
    }

    /// The kind of a strong access.
    public static int kindOf(int bytes, Scope scope) {
        return kindOf(bytes) | 1 + Location.onDevice(scope).ordinal() << SIZE_BITS;
    }

    /// Whether two kinds are of strong accesses of as many bytes.
    static boolean areStrongAlike(int kind, int other) {
        return kind != WEAK && ((kind ^ other) & SIZE_MASK) == 0;
    }

    /// How many bytes a strong access has.
    static int bytes(int kind) {
        return 1 << (kind & SIZE_MASK) - 1;
    }

    /// The scope of a strong access, with that of the device for the system's too; null where it
    /// does not matter.
    static @Nullable Scope scope(int kind) {
        int scope = kind >>> SIZE_BITS;
        return scope == 0 ? null : SCOPES[scope - 1];
    }

    public static int clock(long stamp) {
        return (int) (stamp >>> CLOCK);
    }

    public static int site(long stamp) {
        return (int) (stamp >>> SITE) & NO_SITE;
    }

    public static int kind(long stamp) {
        return (int) stamp >>> KIND & KIND_MASK;
    }

    public static int thread(long stamp) {
        return (int) stamp & THREAD;
    }

    static long withKind(long stamp, int kind) {
        return stamp & ~((long) KIND_MASK << KIND) | (long) kind << KIND;
    }

    static long withSite(long stamp, int site) {
        return stamp & ~((long) NO_SITE << SITE) | (long) site << SITE;
    }

    static long withClock(long stamp, int clock) {
        return stamp & (1L << CLOCK) - 1 | (long) clock << CLOCK;
    }
}
