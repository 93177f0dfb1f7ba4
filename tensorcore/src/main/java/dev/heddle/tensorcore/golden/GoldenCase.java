package dev.heddle.tensorcore.golden;

/// One execution of an instruction: what went in and what came out.
///
/// Registers are lane-major: lane 0's registers first, register i being the i-th element of the PTX
/// vector operand; a 64-bit register is two words, the low one first. Matrices are row-major with
/// little-endian elements: A as rows x stored columns, B as columns x k.
///
/// @param header  the 24 words that describe the case, as the file has them
/// @param a       registers of A; empty if A is in shared memory
/// @param b       registers of B; empty if B is in shared memory
/// @param c       accumulator registers before the instruction
/// @param e       one metadata word a lane; empty for dense forms
/// @param d       destination registers after the instruction
/// @param matrixA A in shared memory; empty if in registers
/// @param matrixB B in shared memory; empty if in registers
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
public record GoldenCase(
        int[] header, int[] a, int[] b, int[] c, int[] e, int[] d, byte[] matrixA, byte[] matrixB)
        implements GoldenRecord {

    /// How legal the sparsity metadata of a case is.
    public enum Metadata {
        /// Every pair of indices is legal and in order.
        ORDERED,
        /// Pairs are distinct but may be out of order; plain `.sp` only.
        UNORDERED,
        /// Any nibble: undefined by the manual.
        UNDEFINED
    }

    static final int HEADER_WORDS = 24;

    public int formId() {
        return header[0];
    }

    /// The number of the case within its form, over all recorded ones.
    public int index() {
        return header[1];
    }

    public Metadata metadata() {
        return Metadata.values()[header[4]];
    }

    /// The sparsity selector; 0 for dense forms.
    public int selector() {
        return header[5];
    }

    /// Whether the accumulator takes part (`scale-d`).
    public boolean scaleD() {
        return header[6] != 0;
    }

    /// `imm-scale-a`, 1 or -1.
    public int scaleA() {
        return header[7];
    }

    /// `imm-scale-b`, 1 or -1.
    public int scaleB() {
        return header[8];
    }

    /// How A lies in shared memory: a code of the format's description, -1 in registers.
    public int layoutA() {
        return header[9];
    }

    /// How B lies in shared memory: a code of the format's description, -1 in registers.
    public int layoutB() {
        return header[10];
    }

    public int leadingOffsetA() {
        return header[11];
    }

    public int strideOffsetA() {
        return header[12];
    }

    public int leadingOffsetB() {
        return header[13];
    }

    public int strideOffsetB() {
        return header[14];
    }

    /// 32 for a warp, 128 for a warpgroup.
    public int lanes() {
        return header[15];
    }
}
