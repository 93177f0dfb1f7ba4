package dev.heddle.vm.ir;

/// Where the spaces stand among generic addresses (PTX ISA 6.4.1.1). Each window is 4 GiB; what
/// lies in none is invalid.
public final class Addresses {
    /// Generic address of the first byte of shared memory.
    public static final long SHARED = 0x1_0000_0000L;

    /// Generic address of the first byte of a thread's local memory.
    public static final long LOCAL = 0x2_0000_0000L;

    /// Generic address of the kernel's parameters.
    public static final long PARAM = 0x3_0000_0000L;

    /// Address of the code with index 0; the next are 16 apart.
    public static final long CODE = 0x4_0000_0000L;

    /// Address of the first byte of global memory, where module variables stand.
    public static final long GLOBAL = 0x10_0000_0000L;

    /// The size of a window.
    public static final long WINDOW = 0x1_0000_0000L;

    private Addresses() {}

    /// The space of a generic address, or GENERIC for one in no window.
    public static Space spaceOf(long address) {
        if (address >= GLOBAL) {
            return Space.GLOBAL;
        }
        return switch ((int) (address >>> 32)) {
            case 1 -> Space.SHARED;
            case 2 -> Space.LOCAL;
            case 3 -> Space.PARAM;
            default -> Space.GENERIC;
        };
    }

    /// The generic address of offset 0 of a space.
    public static long base(Space space) {
        return switch (space) {
            case SHARED -> SHARED;
            case LOCAL -> LOCAL;
            case PARAM -> PARAM;
            case GLOBAL, CONST, GENERIC -> 0;
        };
    }
}
