package dev.heddle.vm.ir;

/// Where the spaces are among generic addresses (PTX ISA 6.4.1.1). Each window is 4 GiB; what
/// lies in none is invalid.
///
/// An address in constant, shared, local or parameter space counts from the beginning of that
/// space, so that 32 bits hold it. Constant memory is the first part of its module's variables,
/// which lie in global memory.
public final class Addresses {
    /// Generic address of the first byte of shared memory.
    public static final long SHARED = 0x1_0000_0000L;

    /// Generic address of the first byte of a thread's local memory.
    public static final long LOCAL = 0x2_0000_0000L;

    /// Generic address of the kernel's parameters.
    public static final long PARAM = 0x3_0000_0000L;

    /// Functions are here, 16 bytes apart; the first place is nobody's.
    private static final long CODE = 0x4_0000_0000L;

    /// Address of the first byte of global memory, where module variables are.
    public static final long GLOBAL = 0x10_0000_0000L;

    /// The size of a window.
    public static final long WINDOW = 0x1_0000_0000L;

    // Where Linux puts the program, its heap, libraries and stacks: on x86-64, the upper three
    // eighths of what a process has.
    private static final long HOST = 0x5000_0000_0000L;
    private static final long HOST_END = 0x8000_0000_0000L;

    /// Where the rank begins in an address of shared memory.
    public static final int RANK = 24;

    private Addresses() {}

    /// The space of a generic address, or GENERIC for one in no window.
    public static Space spaceOf(long address) {
        if (address >= GLOBAL) {
            return Space.GLOBAL;
        }
        return switch ((int) (address >>> 32)) {
            case 1 -> rankOf(address) < 0 ? Space.SHARED : Space.CLUSTER;
            case 2 -> Space.LOCAL;
            case 3 -> Space.PARAM;
            default -> Space.GENERIC;
        };
    }

    /// Whether an address lies where programs of the host have their own memory; buffers are far
    /// below.
    public static boolean isOfHost(long address) {
        return address >= HOST && address < HOST_END;
    }

    /// The rank in an address of shared memory, or -1 where it is the CTA's own: bits 31 to 24 are
    /// one more than the rank, and zero in the CTA's own addresses.
    public static int rankOf(long address) {
        return (int) (address >>> RANK & 0xff) - 1;
    }

    /// An address of shared memory without the rank in it.
    public static long withoutRank(long address) {
        return address & (1L << RANK) - 1;
    }

    /// The generic address of offset 0 of a space.
    public static long base(Space space) {
        return switch (space) {
            case SHARED, CLUSTER -> SHARED;
            case LOCAL -> LOCAL;
            case PARAM -> PARAM;
            case CONST -> throw new IllegalArgumentException("constant memory: ask its program");
            case GLOBAL, GENERIC -> 0;
        };
    }

    /// The address of the code with this index. Its low 32 bits name it, too.
    public static long ofCode(int index) {
        return CODE + 16L * (index + 1);
    }

    /// The index of the code at an address, or of one in its low 32 bits; negative where there can
    /// be none.
    public static long codeAt(long address) {
        long offset = address < WINDOW ? address : address - CODE;
        return offset < 0 || (offset & 15) != 0 ? -1 : offset / 16 - 1;
    }
}
