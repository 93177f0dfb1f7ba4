package dev.heddle.tensorcore;

import dev.heddle.isa.SharedMatrix.Major;

/// What an instruction reads: registers in the order that the [TensorCore] was made for, and the
/// operands that are no registers.
///
/// An operand in shared memory stands here as the words that [TensorCore#load] copies. Arrays
/// may be longer than the operand. Scale factors and metadata are one register a lane.
///
/// @param a          multiplicand A
/// @param b          multiplicand B
/// @param c          the accumulator; of wgmma, D before the instruction
/// @param metadata   sparsity metadata; empty for a dense A
/// @param selector   sparsity selector
/// @param scaleA     A's scale factors, empty without `.block_scale`
/// @param selectA    which of them
/// @param scaleB     B's scale factors, empty without `.block_scale`
/// @param selectB    which of them
/// @param accumulate `scale-d`: whether the accumulator takes part
/// @param negateA    `imm-scale-a` is -1
/// @param negateB    `imm-scale-b` is -1
/// @param majorA     how A lay in shared memory
/// @param majorB     how B lay in shared memory
@SuppressWarnings("ArrayRecordComponent") // a view of arrays, never compared
public record Operands(
        int[] a,
        int[] b,
        int[] c,
        int[] metadata,
        int selector,
        int[] scaleA,
        ScaleSelector selectA,
        int[] scaleB,
        ScaleSelector selectB,
        boolean accumulate,
        boolean negateA,
        boolean negateB,
        Major majorA,
        Major majorB) {

    private static final int[] NONE = {};

    /// The pair `{byte-id, thread-id}` of a scale factor (PTX ISA 9.7.14.3).
    public record ScaleSelector(int byteId, int threadId) {
        public static final ScaleSelector ZERO = new ScaleSelector(0, 0);
    }

    /// Operands of a dense form.
    public static Operands of(int[] a, int[] b, int[] c) {
        return new Operands(
                a,
                b,
                c,
                NONE,
                0,
                NONE,
                ScaleSelector.ZERO,
                NONE,
                ScaleSelector.ZERO,
                true,
                false,
                false,
                Major.K,
                Major.K);
    }

    /// The same with another A.
    public Operands withA(int[] registers) {
        return new Operands(
                registers,
                b,
                c,
                metadata,
                selector,
                scaleA,
                selectA,
                scaleB,
                selectB,
                accumulate,
                negateA,
                negateB,
                majorA,
                majorB);
    }

    /// The same with sparsity metadata.
    public Operands withMetadata(int[] words, int sparsitySelector) {
        return new Operands(
                a,
                b,
                c,
                words,
                sparsitySelector,
                scaleA,
                selectA,
                scaleB,
                selectB,
                accumulate,
                negateA,
                negateB,
                majorA,
                majorB);
    }

    /// The same with scale factors.
    public Operands withScales(
            int[] wordsA, ScaleSelector selectorA, int[] wordsB, ScaleSelector selectorB) {
        return new Operands(
                a,
                b,
                c,
                metadata,
                selector,
                wordsA,
                selectorA,
                wordsB,
                selectorB,
                accumulate,
                negateA,
                negateB,
                majorA,
                majorB);
    }

    /// The same with the immediates of wgmma.
    ///
    /// @param scaleD whether the accumulator takes part
    /// @param minusA whether `imm-scale-a` is -1
    /// @param minusB whether `imm-scale-b` is -1
    public Operands withImmediates(boolean scaleD, boolean minusA, boolean minusB) {
        return new Operands(
                a, b, c, metadata, selector, scaleA, selectA, scaleB, selectB, scaleD, minusA,
                minusB, majorA, majorB);
    }

    /// The same with matrices that lay in shared memory so.
    public Operands withMajors(Major a, Major b) {
        return new Operands(
                this.a,
                this.b,
                c,
                metadata,
                selector,
                scaleA,
                selectA,
                scaleB,
                selectB,
                accumulate,
                negateA,
                negateB,
                a,
                b);
    }
}
