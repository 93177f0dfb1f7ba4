package dev.heddle.vm.shadow;

import java.util.function.IntUnaryOperator;

/// What lanes of a warp access by one instruction in shared memory of another CTA: each some
/// elements, one behind the other.
///
/// @param offsets by lane, where its first element begins
/// @param bytes of a lane
/// @param elementBytes of an element
/// @param write whether they write
/// @param kind weak, or strong with the bytes and the scope, as in a stamp
/// @param warp in its CTA
/// @param site the instruction's number
public record LaneElements(
        IntUnaryOperator offsets,
        int bytes,
        int elementBytes,
        boolean write,
        int kind,
        int warp,
        int site) {
    /// All that a lane accesses, as one element.
    SharedElement all(int lane) {
        return element(lane, bytes);
    }

    SharedElement first(int lane) {
        return element(lane, elementBytes);
    }

    private SharedElement element(int lane, int size) {
        return new SharedElement(offsets.applyAsInt(lane), size, write, kind);
    }
}
