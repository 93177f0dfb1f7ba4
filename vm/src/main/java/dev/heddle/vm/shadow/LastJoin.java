package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.function.BinaryOperator;

/// The last join of two clocks, or of what two writes release, kept: lanes of a warp mostly know
/// the same and learn the same, and so do elements of a reduction.
final class LastJoin<T> {
    private final BinaryOperator<T> join;
    private @Nullable T known;
    private @Nullable T learnt;
    private @Nullable T joined;

    LastJoin(BinaryOperator<T> join) {
        this.join = join;
    }

    @SuppressWarnings("ReferenceEquality") // saves work only
    T of(T own, T more) {
        T both = joined;
        if (both == null || own != known || more != learnt) {
            known = own;
            learnt = more;
            both = join.apply(own, more);
            joined = both;
        }
        return both;
    }
}
