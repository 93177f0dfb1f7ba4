package dev.heddle.tensorcore.kernel;

/// The words of the operands that an instruction reads.
///
/// @param a              A
/// @param b              B
/// @param c              C; not read without accumulation
/// @param accumulate     whether C takes part
/// @param negateProducts whether products change sign
/// @param scaleA         A's scale factors; empty without block scaling
/// @param scaleB         B's scale factors; empty without block scaling
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
public record Inputs(
        int[] a,
        int[] b,
        int[] c,
        boolean accumulate,
        boolean negateProducts,
        int[] scaleA,
        int[] scaleB) {

    /// Before the first instruction.
    static final Inputs NONE =
            new Inputs(new int[0], new int[0], new int[0], false, false, new int[0], new int[0]);
}
