package dev.heddle.cuda;

/// What one execution of a tensor-core instruction gets to see.
///
/// Register operands are 32-bit words, lane after lane: lane 0's registers first, each 64-bit
/// register low word first. An operand the instruction does not have in registers is empty.
///
/// @param a registers of A
/// @param b registers of B
/// @param c registers of C; for `wgmma` those of D before it runs
/// @param e metadata, one word a lane
/// @param shared `wgmma`: the operands in shared memory
@SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
public record CaseInput(int[] a, int[] b, int[] c, int[] e, Shared shared) {
    /// What `wgmma` finds in shared memory, and whether it adds to D.
    ///
    /// @param scaleD false: D = A*B; true: D = A*B + D
    /// @param descriptorA descriptor of A as if the image began at address 0; 0 for A in
    ///     registers
    /// @param descriptorB descriptor of B as if the image began at address 0
    /// @param image the content, from an address that is a multiple of 1024
    @SuppressWarnings("ArrayRecordComponent") // carries words and bytes, is never compared
    public record Shared(boolean scaleD, long descriptorA, long descriptorB, int[] image) {
        /// Nothing in shared memory: `mma`.
        public static final Shared NONE = new Shared(true, 0, 0, new int[0]);
    }
}
