package dev.heddle.tensorcore;

import dev.heddle.isa.SharedMatrix.Major;

/// What an instruction reads: registers in the order that the [TensorCore] was made for, and the
/// operands that are no registers.
///
/// An operand in shared memory is here as the words that [TensorCore#load] copies. Arrays
/// may be longer than the operand. Scale factors and metadata are one register a lane.
///
/// @param a          multiplicand A
/// @param b          multiplicand B
/// @param c          the accumulator; of wgmma, D before the instruction
/// @param metadata   sparsity metadata; empty for a dense A
/// @param selector   sparsity selector
/// @param scales     scale factors
/// @param immediates what wgmma says by constants
/// @param majors     how the matrices lay in shared memory
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
public record Operands(
        int[] a,
        int[] b,
        int[] c,
        int[] metadata,
        int selector,
        Scales scales,
        Immediates immediates,
        Majors majors) {

    private static final int[] EMPTY = {};

    /// The pair `{byte-id, thread-id}` of a scale factor (PTX ISA 9.7.14.3).
    public record ScaleSelector(int byteId, int threadId) {
        public static final ScaleSelector ZERO = new ScaleSelector(0, 0);
    }

    /// The scale factors of A and of B, empty without `.block_scale`, and which of them.
    @SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
    public record Scales(int[] a, ScaleSelector selectA, int[] b, ScaleSelector selectB) {
        /// Those of a form without `.block_scale`.
        public static final Scales NONE =
                new Scales(EMPTY, ScaleSelector.ZERO, EMPTY, ScaleSelector.ZERO);
    }

    /// The immediates of wgmma.
    ///
    /// @param accumulate `scale-d`: whether the accumulator takes part
    /// @param negateA    `imm-scale-a` is -1
    /// @param negateB    `imm-scale-b` is -1
    public record Immediates(boolean accumulate, boolean negateA, boolean negateB) {
        /// The accumulator takes part, nothing is negated.
        public static final Immediates PLAIN = new Immediates(true, false, false);
    }

    /// How A and B lay in shared memory.
    public record Majors(Major a, Major b) {
        /// K innermost, as registers hold it.
        public static final Majors K = new Majors(Major.K, Major.K);
    }

    /// Operands of a dense form.
    public static Operands of(int[] a, int[] b, int[] c) {
        return new Operands(a, b, c, EMPTY, 0, Scales.NONE, Immediates.PLAIN, Majors.K);
    }

    /// The same with another A.
    public Operands withA(int[] registers) {
        return new Operands(registers, b, c, metadata, selector, scales, immediates, majors);
    }

    /// The same with sparsity metadata.
    public Operands withMetadata(int[] words, int sparsitySelector) {
        return new Operands(a, b, c, words, sparsitySelector, scales, immediates, majors);
    }

    /// The same with scale factors.
    public Operands withScales(
            int[] wordsA, ScaleSelector selectorA, int[] wordsB, ScaleSelector selectorB) {
        Scales factors = new Scales(wordsA, selectorA, wordsB, selectorB);
        return new Operands(a, b, c, metadata, selector, factors, immediates, majors);
    }

    /// The same with the immediates of wgmma.
    ///
    /// @param scaleD whether the accumulator takes part
    /// @param minusA whether `imm-scale-a` is -1
    /// @param minusB whether `imm-scale-b` is -1
    public Operands withImmediates(boolean scaleD, boolean minusA, boolean minusB) {
        Immediates constants = new Immediates(scaleD, minusA, minusB);
        return new Operands(a, b, c, metadata, selector, scales, constants, majors);
    }

    /// The same with matrices that lay in shared memory so.
    public Operands withMajors(Major ofA, Major ofB) {
        Majors inner = new Majors(ofA, ofB);
        return new Operands(a, b, c, metadata, selector, scales, immediates, inner);
    }
}
