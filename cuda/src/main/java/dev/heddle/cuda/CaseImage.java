package dev.heddle.cuda;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where the inputs of one case are in the input buffer of an [InstructionKernel]: the
/// registers of A, B, C and the metadata, each lane after lane; then six control words; then the
/// image of shared memory. Offsets and sizes are in 32-bit words.
///
/// @param instruction the instruction the kernel runs
/// @param sharedWords size of the image of shared memory; 0 for `mma`
record CaseImage(MatrixInstruction instruction, int sharedWords) {
    /// Control words: scale-d, one unused, the descriptors of A and B, low word first. Addresses
    /// in the descriptors count from the start of the image.
    private static final int CONTROL_WORDS = 6;

    private static final int ALIGNMENT_WORDS = 4;

    int a() {
        return 0;
    }

    int b() {
        return a() + instruction.lanes() * instruction.words().a();
    }

    int c() {
        return b() + instruction.lanes() * instruction.words().b();
    }

    int e() {
        return c() + instruction.lanes() * instruction.words().c();
    }

    int scaleD() {
        return e() + instruction.lanes() * instruction.metadataWords();
    }

    int descriptorA() {
        return scaleD() + 2;
    }

    int descriptorB() {
        return scaleD() + 4;
    }

    int shared() {
        return aligned(scaleD() + CONTROL_WORDS);
    }

    /// Distance from one case to the next.
    int words() {
        return aligned(shared() + sharedWords);
    }

    /// Words of D that a case writes, lane after lane.
    int outputWords() {
        return instruction.lanes() * instruction.words().d();
    }

    private static int aligned(int words) {
        return (words + ALIGNMENT_WORDS - 1) / ALIGNMENT_WORDS * ALIGNMENT_WORDS;
    }

    /// Writes words of case `index` into the buffer of all cases.
    void put(MemorySegment buffer, int index, int offset, int[] values) {
        MemorySegment.copy(
                values,
                0,
                buffer,
                ValueLayout.JAVA_INT,
                ((long) index * words() + offset) * Integer.BYTES,
                values.length);
    }
}
