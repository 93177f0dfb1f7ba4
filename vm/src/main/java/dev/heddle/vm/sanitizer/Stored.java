package dev.heddle.vm.sanitizer;

/// The values that a warp is about to store.
public interface Stored {
    /// The bits of an element of a lane's vector.
    long element(int lane, int index);

    /// A byte of a lane's vector.
    default byte at(int lane, long index, int elementBytes) {
        long element = element(lane, (int) index / elementBytes);
        return (byte) (element >>> 8 * ((int) index % elementBytes));
    }
}
