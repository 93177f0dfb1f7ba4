package dev.heddle.vm.ir;

/// How a load, store or atomic touches memory.
///
/// @param space which memory
/// @param bytes of one element: 1, 2, 4 or 8, where it moves
/// @param signed whether a loaded value narrower than its register is sign-extended
/// @param order how it orders others
/// @param scope of the threads it may synchronize with, where it is strong
public record Access(Space space, int bytes, boolean signed, MemoryOrder order, Scope scope) {

    /// An access that orders nothing.
    public static Access weak(Space space, int bytes) {
        return new Access(space, bytes, false, MemoryOrder.WEAK, Scope.CTA);
    }

    /// As the memory model sees it, for which a strong operation on 128 bits overlaps completely
    /// with others of 128 bits alone (PTX ISA 8.2.1, 8.7).
    public Access asOne(Site site) {
        return isStrong() && site.is(Site.Mark.WHOLE)
                ? new Access(space, 2 * Long.BYTES, signed, order, scope)
                : this;
    }

    /// Whether it is a strong operation (PTX ISA 8.4): morally strong ones do not race.
    public boolean isStrong() {
        return order.isStrong();
    }
}
