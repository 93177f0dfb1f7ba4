package dev.heddle.vm.sanitizer;

import dev.heddle.vm.ir.Register;
import dev.heddle.vm.ir.Source;
import dev.heddle.vm.ir.Step;
import dev.heddle.vm.shadow.UndefinedBits;

import org.jspecify.annotations.Nullable;

/// The padding of structures, which nobody writes and which goes along where they are copied.
///
/// Padding is shorter than the alignment of its structure, and stands behind a member: of the words
/// of that alignment, in which structures are copied, none begins with it. So unwritten bytes that
/// are copied as they are, behind a byte that somebody wrote, are taken for padding: the copy is as
/// unwritten as they are, and nothing is told until something depends on it. What is stored alone,
/// comes first, or was computed is a value.
final class StructurePadding {
    private StructurePadding() {}

    /// Of lanes that store, those that store padding, and nothing else that is undefined.
    static int lanes(UndefinedBits bits, Step.Store store, int lanes) {
        int padded = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            padded |= isPadded(bits, store, lane) ? 1 << lane : 0;
        }
        return padded;
    }

    private static boolean isPadded(UndefinedBits bits, Step.Store store, int lane) {
        int each = store.access().bytes();
        for (int i = 0; i < store.values().size(); i++) {
            Source value = store.values().get(i);
            long undefined = bits.of(value, lane);
            for (int at = 0; undefined != 0 && at < each; at++) {
                int part = (int) (undefined >>> 8 * at) & 0xff;
                if (part != 0
                        && !(value instanceof Register register
                                && mayBe(part, bits.origin(register), i + at == 0))) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether a byte with undefined bits may be one of padding.
    ///
    /// @param origin of the bits; null for those of a register that nobody wrote
    /// @param isFirst whether it is the first of its word
    static boolean mayBe(int undefined, UndefinedBits.@Nullable Origin origin, boolean isFirst) {
        return !isFirst && undefined == 0xff && (origin == null || origin.isUnwritten());
    }
}
