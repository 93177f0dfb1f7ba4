package dev.heddle.vm.shadow;

import dev.heddle.vm.shadow.AsyncOperation.Region;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// A set of bytes of a memory: ranges one behind the other, none of which touch.
public final class ByteRanges {
    // The first byte of each, and the byte behind its last.
    private final int[] from;
    private final int[] to;

    private ByteRanges(int[] from, int[] to) {
        this.from = from;
        this.to = to;
    }

    /// The bytes of some regions of one memory, of which there are any.
    static ByteRanges of(List<Region> regions) {
        long[] sorted = new long[regions.size()];
        int found = 0;
        for (Region region : regions) {
            long end = region.offset() + region.bytes();
            sorted[found++] = region.offset() << Integer.SIZE | end;
        }
        Arrays.sort(sorted);
        int[] from = new int[found];
        int[] to = new int[found];
        int last = -1;
        for (long range : sorted) {
            int first = (int) (range >>> Integer.SIZE);
            if (last < 0 || first > to[last]) {
                from[++last] = first;
            }
            to[last] = Math.max(to[last], (int) range);
        }
        return new ByteRanges(Arrays.copyOf(from, last + 1), Arrays.copyOf(to, last + 1));
    }

    /// The bytes of words whose numbers are set, of which there are any.
    public static ByteRanges ofWords(BitSet words) {
        int[] from = new int[words.cardinality()];
        int[] to = new int[from.length];
        int found = 0;
        for (int word = words.nextSetBit(0); word >= 0; word = words.nextSetBit(word)) {
            from[found] = Integer.BYTES * word;
            word = words.nextClearBit(word);
            to[found++] = Integer.BYTES * word;
        }
        return new ByteRanges(Arrays.copyOf(from, found), Arrays.copyOf(to, found));
    }

    /// How many there are.
    public int count() {
        return from.length;
    }

    /// The first byte of one of them.
    public int from(int range) {
        return from[range];
    }

    /// The byte behind its last.
    public int to(int range) {
        return to[range];
    }

    /// The first byte.
    public int from() {
        return from[0];
    }

    /// The byte behind the last.
    int to() {
        return to[to.length - 1];
    }

    /// Whether all bytes of others are among them.
    boolean contain(ByteRanges others) {
        for (int i = 0; i < others.from.length; i++) {
            int found = Arrays.binarySearch(from, others.from[i]);
            int at = found >= 0 ? found : -2 - found;
            if (at < 0 || to[at] < others.to[i]) {
                return false;
            }
        }
        return true;
    }

    /// Whether some of these bytes are among them.
    boolean overlap(int first, int end) {
        int found = Arrays.binarySearch(from, first);
        int at = found >= 0 ? found : -2 - found;
        return at >= 0 && to[at] > first && end > first
                || at + 1 < from.length && from[at + 1] < end;
    }
}
