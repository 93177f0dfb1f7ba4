package dev.heddle.explorer;

import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SwizzleMode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is doubtful in a descriptor: places that share memory, fields that contradict one another,
/// bits that belong to no field.
final class DescriptorAdvice {
    /// Bits 13..0, 29..16, 45..32, 51..49, 63..62 (PTX ISA 9.7.15.5.1.2.2).
    private static final long FIELDS = 0xC00E_3FFF_3FFF_3FFFL;

    private DescriptorAdvice() {}

    /// Sentences, each with what to do about it; none if nothing is doubtful.
    static List<String> of(SharedMemoryFigure memory) {
        List<String> advice = new ArrayList<>();
        MatrixDescriptor descriptor = memory.matrix().descriptor();
        SwizzleMode mode = descriptor.mode();
        overlap(memory, advice);
        int pattern = mode.patternBytes();
        int phase = descriptor.startAddress() >> 7 & 7;
        if (mode != SwizzleMode.NONE
                && descriptor.startAddress() % pattern != 0
                && descriptor.baseOffset() != (phase & pattern / 128 - 1)) {
            advice.add(
                    ("The start address 0x%x is no multiple of %d, where the %s begins: set the"
                                    + " base offset to %d, or align the matrix.")
                            .formatted(
                                    descriptor.startAddress(),
                                    pattern,
                                    mode,
                                    phase & pattern / 128 - 1));
        }
        boolean leading =
                mode == SwizzleMode.NONE || memory.matrix().major() == SharedMatrix.Major.MN;
        if (!leading && descriptor.leadingByteOffset() > 16) {
            advice.add(
                    "The leading dimension byte offset is not used here: K-major with a swizzle"
                            + " takes 16-byte units one behind the other.");
        }
        return advice;
    }

    private static void overlap(SharedMemoryFigure memory, List<String> advice) {
        Map<Long, SharedMemoryFigure.Word> seen = new HashMap<>();
        int shared = 0;
        String example = "";
        List<SharedMemoryFigure.Word> words = memory.words();
        for (SharedMemoryFigure.Word word : words) {
            SharedMemoryFigure.Word first =
                    seen.putIfAbsent((long) word.line() << 5 | word.bank(), word);
            if (first != null) {
                shared++;
                if (example.isEmpty()) {
                    example = memory.element(first) + " and " + memory.element(word);
                }
            }
        }
        if (shared > 0) {
            advice.add(
                    ("Places overlap: %d of %d words stand on others, such as %s. Enlarge the"
                                    + " offsets.")
                            .formatted(shared, words.size(), example));
        }
    }

    /// Bits of a register that belong to no field, in a sentence; empty if there are none.
    static List<String> ofRegister(long register) {
        long rest = register & ~FIELDS;
        return rest == 0
                ? List.of()
                : List.of(
                        "Bits 0x%016x belong to no field and were dropped; they must be 0."
                                .formatted(rest));
    }

    /// The descriptor as an expression of C++, from the address of the matrix.
    static String expression(MatrixDescriptor descriptor) {
        return "uint64_t descriptor = (uint64_t) (__cvta_generic_to_shared(matrix) >> 4 & 0x3fff)\n"
                + "    | (uint64_t) (%d >> 4) << 16   // leading dimension byte offset\n"
                        .formatted(descriptor.leadingByteOffset())
                + "    | (uint64_t) (%d >> 4) << 32   // stride dimension byte offset\n"
                        .formatted(descriptor.strideByteOffset())
                + "    | (uint64_t) %d << 49   // base offset\n".formatted(descriptor.baseOffset())
                + "    | (uint64_t) %d << 62;   // %s\n"
                        .formatted(descriptor.mode().code(), descriptor.mode());
    }
}
