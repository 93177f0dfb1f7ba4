package dev.heddle.vm.shadow;

import dev.heddle.vm.ir.Scope;
import dev.heddle.vm.memory.Footprint;

/// Who accessed a place of global memory, when and how, in 64 bits: from above the state of the
/// place (4 bits), how many bytes a lane accessed (3, as a logarithm), the kind (3), the thread in
/// its CTA (11), the CTA, the instruction, the clock of its warp. The last three take as many bits
/// as a launch needs. Threads behind those of the CTA stand for asynchronous operations, whose
/// clocks are later than those of all warps, as in [Stamp].
///
/// A stamp may be of several bytes: byte b is then of the lane of the stamp and b by the bytes of a
/// lane.
public final class GlobalStamp {
    /// A place that nobody accessed.
    public static final long NOBODY = 0;

    // States of a place.
    static final int EMPTY = 0;
    static final int READ = 1;
    static final int WRITTEN = 2;

    /// Written, and read since then: the reads stand in rows.
    static final int WRITTEN_AND_READ = 3;

    /// Accesses that are not in order with each other: they stand in rows.
    static final int MANY = 4;

    /// The parts of the place have places of their own.
    static final int SPLIT = 5;

    /// Nothing more is looked for here.
    static final int UNKNOWN = 6;

    /// Weak reads of one CTA that are not told apart. They are of lanes of one warp, or by
    /// [#OF_WARPS] of any; and some of [#COPIED_KIND], or none.
    static final int READS = 9;

    /// The first of five states of a place of [#MANY] accesses that are all strong, for the whole
    /// device, and of the same bytes: morally strong. There is one for each number of bytes, by
    /// its logarithm, as the place may be a part of them.
    private static final int ALIKE = 10;

    private static final int MOST_ALIKE = 4;

    /// What accesses are that are not alike.
    static final int NOT_ALIKE = -1;

    /// Bytes of a sector, as hardware moves them: it has one stamp, unless it is split.
    public static final int SECTOR = 32;

    /// Bytes of a page, as a logarithm: it has one lock.
    public static final int PAGE_BITS = 12;

    // Kinds of an access: not strong, or strong with its scope.
    public static final int WEAK = 0;

    /// What a copy of `cp.async` reads, which goes on until its thread has waited for it.
    public static final int COPIED = 4;

    /// The bits of kinds that are strong.
    public static final int STRONG = 3;

    // With MANY, the classes of accesses, and whether they are of several CTAs, stand where the
    // bytes of a lane and the kind stand else.
    static final int WEAK_READS = Footprint.WEAK_READS;
    static final int STRONG_READS = Footprint.STRONG_READS;
    static final int WEAK_WRITES = Footprint.WEAK_WRITES;
    static final int STRONG_WRITES = Footprint.STRONG_WRITES;
    static final int WEAK_CLASSES = WEAK_READS | WEAK_WRITES;
    static final int ANY_READS = WEAK_READS | STRONG_READS;
    static final int WRITES = WEAK_WRITES | STRONG_WRITES;
    static final int SEVERAL = 16;

    static final int STATE = 60;
    public static final int UNIT = 57;
    static final int KIND = 54;
    static final int THREAD = 43;
    public static final long ONE_LANE = 1L << THREAD;

    // For machine code: the bits of the state of a place, and of its classes with it; and what they
    // are of places that one read or wrote, or several CTAs read.
    public static final long STATES = 15L << STATE;
    public static final long CLASSES = -1L << KIND;
    public static final long READ_STATE = (long) READ << STATE;
    public static final long WRITTEN_STATE = (long) WRITTEN << STATE;
    public static final long READS_STATE = (long) READS << STATE;
    public static final long SPLIT_STATE = (long) SPLIT << STATE;
    public static final long READ_BY_SEVERAL =
            (long) MANY << STATE | (long) (SEVERAL | WEAK_READS) << KIND;

    /// The same of words that several CTAs reduce into, all of them morally strong.
    static final long REDUCED_BY_SEVERAL =
            (long) (ALIKE + 2) << STATE | (long) (SEVERAL | STRONG_WRITES) << KIND;

    /// Of reads that are not told apart: they are of several warps.
    public static final long OF_WARPS = 1L << KIND;

    /// The bits of the warp.
    public static final long WARPS = (1L << KIND) - (1L << THREAD + 5);

    public static final int MOST_KIND = 7;
    public static final long COPIED_KIND = (long) COPIED << KIND;
    public static final int MOST_UNIT = 7;

    private static final Scope[] SCOPES = Scope.values();

    private static final int REST = 43;
    private static final int MOST_SITE_BITS = 14;

    private final int ctaBits;
    private final int siteBits;
    private final int clockBits;

    // What stands for the first clock of asynchronous operations.
    private final int firstAside;

    /// @param ctas of the launch
    /// @param sites of the program
    /// @param hasAsides whether asynchronous operations have stamps
    GlobalStamp(long ctas, int sites, boolean hasAsides) {
        ctaBits = Math.min(31, 64 - Long.numberOfLeadingZeros(ctas));
        siteBits = Math.min(MOST_SITE_BITS, 32 - Integer.numberOfLeadingZeros(sites + 1));
        clockBits = Math.min(30, REST - ctaBits - siteBits);
        firstAside = 1 << clockBits - (hasAsides ? 1 : 0);
    }

    /// Whether a clock can be told in a stamp.
    boolean fits(int clock) {
        return clock < Stamp.FIRST_ASYNC ? clock < firstAside : told(clock) < 1 << clockBits;
    }

    /// The last clock of a warp that can.
    public int lastClock() {
        return Math.min(Stamp.LAST_CLOCK, firstAside - 1);
    }

    /// What stands for a clock.
    private int told(int clock) {
        return clock < Stamp.FIRST_ASYNC ? clock : clock - Stamp.FIRST_ASYNC + firstAside;
    }

    /// A stamp of lane 0 of a warp, without state and bytes of a lane.
    public long of(int cta, int warp, int site, int clock, int kind) {
        int known = Math.min(site, noSite());
        return (long) kind << KIND
                | (long) warp << THREAD + 5
                | (long) cta << siteBits + clockBits
                | (long) known << clockBits
                | told(clock);
    }

    private int noSite() {
        return (1 << siteBits) - 1;
    }

    /// The bytes, as a logarithm, that all accesses of a place access, where they are morally
    /// strong, for the whole device; else [#NOT_ALIKE].
    static int alike(long stamp) {
        int state = (int) (stamp >>> STATE);
        return state >= ALIKE
                ? state - ALIKE
                : state == READ || state == WRITTEN ? alikeAlone(stamp) : NOT_ALIKE;
    }

    /// The same of one access.
    static int alikeAlone(long stamp) {
        boolean isAlike = kind(stamp) == 1 + Scope.GPU.ordinal() && unit(stamp) <= MOST_ALIKE;
        return isAlike ? unit(stamp) : NOT_ALIKE;
    }

    /// Whether some access of a place was a write, or its parts have places of their own.
    static boolean mayBeWritten(long stamp) {
        return switch (state(stamp)) {
            case WRITTEN, WRITTEN_AND_READ, SPLIT -> true;
            case MANY -> (classes(stamp) & WRITES) != 0;
            default -> false;
        };
    }

    public static int kindOf(boolean strong, Scope scope) {
        return strong ? 1 + Math.min(scope.ordinal(), Scope.GPU.ordinal()) : WEAK;
    }

    /// Whether a kind is of a strong access.
    public static boolean isStrong(int kind) {
        return (kind & STRONG) != 0;
    }

    /// Whether an access is what a copy reads, or some of several reads are ([#READS]).
    public static boolean isCopied(long stamp) {
        return (stamp & COPIED_KIND) != 0
                && switch (state(stamp)) {
                    case EMPTY, READ, READS -> true;
                    default -> false;
                };
    }

    /// The scope of a strong access's kind.
    static Scope scope(int kind) {
        return SCOPES[kind - 1];
    }

    static int state(long stamp) {
        int state = (int) (stamp >>> STATE);
        return state < ALIKE ? state : MANY;
    }

    static long withState(long stamp, int state) {
        return stamp & (1L << STATE) - 1 | (long) state << STATE;
    }

    /// @param bytes of a lane, a power of two
    static long withUnit(long stamp, int bytes) {
        return stamp | (long) Integer.numberOfTrailingZeros(bytes) << UNIT;
    }

    static int unit(long stamp) {
        return (int) (stamp >>> UNIT) & MOST_UNIT;
    }

    public static int kind(long stamp) {
        return (int) (stamp >>> KIND) & MOST_KIND;
    }

    public static int thread(long stamp) {
        return (int) (stamp >>> THREAD) & 0x7ff;
    }

    public int cta(long stamp) {
        return (int) (stamp >>> siteBits + clockBits & (1L << ctaBits) - 1);
    }

    public int clock(long stamp) {
        int told = (int) (stamp & clockMask());
        return told < firstAside ? told : told - firstAside + Stamp.FIRST_ASYNC;
    }

    /// The number of the instruction, or [Stamp#NO_SITE].
    public int site(long stamp) {
        int site = (int) (stamp >>> clockBits) & noSite();
        return site == noSite() ? Stamp.NO_SITE : site;
    }

    /// Whether two stamps are of the same threads, byte for byte, by accesses of the same kind.
    boolean isOfSameThreads(long one, long other) {
        return ((one ^ other) & threadsMask()) == 0;
    }

    /// The bits that say whose an access is, and of what kind.
    public long threadsMask() {
        return (1L << STATE) - (1L << THREAD) | ctaMask();
    }

    /// The bits of the CTA.
    public long ctaMask() {
        return (1L << ctaBits) - 1 << siteBits + clockBits;
    }

    /// The bits of the clock.
    public long clockMask() {
        return (1L << clockBits) - 1;
    }

    /// The stamp that a weak access leaves, without CTA, thread and clock.
    ///
    /// @param bytes of a lane, a power of two
    public long left(boolean write, int site, int bytes) {
        long unit = Integer.numberOfTrailingZeros(bytes);
        return of(0, 0, site, 0, WEAK) | unit << UNIT | (write ? WRITTEN_STATE : READ_STATE);
    }

    /// The same of a copy that reads.
    public long leftByCopy(int site, int bytes) {
        return left(false, site, bytes) | COPIED_KIND;
    }

    /// The stamp of weak reads of one CTA that are not told apart.
    ///
    /// @param last the stamp of one of them
    /// @param before the stamp that was there: of one or several
    long reads(long last, long before) {
        long clock = Math.max(last & clockMask(), before & clockMask());
        boolean isOfWarps =
                state(before) == READS && (before & OF_WARPS) != 0
                        || ((last ^ before) & WARPS) != 0;
        return withState(last & ~clockMask() | clock, READS)
                | before & COPIED_KIND
                | (isOfWarps ? OF_WARPS : 0);
    }

    // Of places with many accesses.

    /// @param last the stamp of one of the accesses
    /// @param before the stamp that was there
    long many(long last, long before, int classes) {
        return many(last, before, classes, NOT_ALIKE);
    }

    /// @param alike what all accesses are
    long many(long last, long before, int classes, int alike) {
        long clock = Math.max(last & clockMask(), before & clockMask());
        long whose = last & (1L << KIND) - 1 & -(1L << clockBits);
        int state = alike == NOT_ALIKE ? MANY : ALIKE + alike;
        return whose | clock | (long) classes << KIND | (long) state << STATE;
    }

    /// The stamp of lane 0 of a warp of the same CTA, which read a place by then; as a copy does
    /// where some of the reads are such.
    ///
    /// @param size of the place, a power of two
    long read(long stamp, int warp, int size) {
        long rest = stamp & (1L << THREAD) - 1;
        long unit = Integer.numberOfTrailingZeros(size);
        return rest | (long) warp << THREAD + 5 | unit << UNIT | stamp & COPIED_KIND;
    }

    /// The stamp of some thread of some other CTA.
    long ofAnother(long many) {
        return plain(many) | ctaMask() | (long) noSite() << clockBits;
    }

    /// Whether a CTA's number stands for any.
    public boolean isAnyCta(int cta) {
        return cta == (1 << ctaBits) - 1;
    }

    /// The stamp of one of them, as a weak one.
    static long plain(long many) {
        return many & (1L << KIND) - 1;
    }

    static int classes(long stamp) {
        return (int) (stamp >>> KIND) & 63;
    }

    /// The classes of the accesses of a place that has one stamp.
    static int classesOfOne(long stamp) {
        boolean isReadAfter = state(stamp) == WRITTEN_AND_READ;
        return classOf(state(stamp) != READ, kind(stamp)) | (isReadAfter ? ANY_READS : 0);
    }

    /// In which ways a place was accessed that has a stamp, for other launches: strong is what is
    /// so for the whole device. What was read after a write counts as strong as that.
    static int ways(long stamp) {
        int kind = kind(stamp) == 1 + Scope.GPU.ordinal() ? kind(stamp) : WEAK;
        return switch (state(stamp)) {
            case READ -> classOf(false, kind);
            case READS -> WEAK_READS;
            case WRITTEN -> classOf(true, kind);
            case WRITTEN_AND_READ -> classOf(true, kind) | classOf(false, kind);
            case MANY -> classes(stamp) & (ANY_READS | WRITES);
            default -> 0;
        };
    }

    static int classOf(boolean write, int kind) {
        int strong = isStrong(kind) ? 1 : 0;
        return write ? WEAK_WRITES << strong : WEAK_READS << strong;
    }
}
