package dev.heddle.vm.shadow;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/// The bits of a CTA's shared memory that nothing defines although somebody stored them: a copy of
/// a value that nobody wrote. Where values are not followed there are none.
public final class UndefinedMemory {
    private final int size;
    private byte[] bits = {};
    private UndefinedBits.@Nullable Origin[] origins = {};
    private int count;

    UndefinedMemory(int size) {
        this.size = size;
    }

    void clear() {
        if (count > 0) {
            Arrays.fill(bits, (byte) 0);
            Arrays.fill(origins, null);
            count = 0;
        }
    }

    /// Whether all bits are defined, or nobody stored them.
    public boolean isEmpty() {
        return count == 0;
    }

    /// The undefined bits of a byte.
    public int bits(int at) {
        return count == 0 ? 0 : bits[at] & 0xff;
    }

    /// Where the undefined bits of a byte come from, or null.
    public UndefinedBits.@Nullable Origin origin(int at) {
        return count == 0 ? null : origins[at];
    }

    /// Where the first undefined bits between two places come from, or null.
    public UndefinedBits.@Nullable Origin first(int from, int to) {
        for (int at = from; count > 0 && at < to; at++) {
            if (bits[at] != 0) {
                return origins[at];
            }
        }
        return null;
    }

    /// Bytes are written by something that defines them.
    public void define(int from, int to) {
        for (int at = from; count > 0 && at < to; at++) {
            set(at, 0, null);
        }
    }

    /// A byte is written.
    ///
    /// @param undefined its undefined bits
    /// @param origin where they come from, or null where there are none
    public void set(int at, int undefined, UndefinedBits.@Nullable Origin origin) {
        if (bits.length == 0) {
            bits = new byte[size];
            origins = new UndefinedBits.Origin[size];
        }
        count += (undefined == 0 ? 0 : 1) - (bits[at] == 0 ? 0 : 1);
        bits[at] = (byte) undefined;
        origins[at] = undefined == 0 ? null : origin;
    }
}
