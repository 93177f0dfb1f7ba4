package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// Buffers by their addresses.
final class Buffers {
    private static final int ALIGNMENT = 256;
    private static final int GAP = 256;

    private final TreeMap<Long, Buffer> byAddress = new TreeMap<>();

    /// Whether none was at its address.
    boolean add(Buffer buffer) {
        return byAddress.put(buffer.address(), buffer) == null;
    }

    /// The buffer that began at an address and is gone now, or null.
    @Nullable Buffer remove(long address) {
        return byAddress.remove(address);
    }

    /// All of them, the lowest address first.
    Collection<Buffer> all() {
        return byAddress.values();
    }

    /// The buffer that holds an address, or null.
    @Nullable Buffer at(long address) {
        Map.Entry<Long, Buffer> entry = byAddress.floorEntry(address);
        return entry != null && entry.getValue().holds(address, 1) ? entry.getValue() : null;
    }

    /// The buffer nearest to an address, or null where there is none. Those without bytes do not
    /// count.
    @Nullable Buffer nearest(long address) {
        Map.Entry<Long, Buffer> below = byAddress.floorEntry(address);
        while (below != null && below.getValue().bytes() == 0) {
            below = byAddress.lowerEntry(below.getKey());
        }
        Map.Entry<Long, Buffer> above = byAddress.ceilingEntry(address);
        while (above != null && above.getValue().bytes() == 0) {
            above = byAddress.higherEntry(above.getKey());
        }
        if (below == null || above == null) {
            return below != null ? below.getValue() : above != null ? above.getValue() : null;
        }
        return address - below.getValue().end() <= above.getKey() - address
                ? below.getValue()
                : above.getValue();
    }

    /// How many bytes a buffer takes, with the gap behind it that is nobody's.
    static long taken(long bytes) {
        return (Math.max(bytes, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
    }

    /// Takes away the first buffers that follow on one another and take so many bytes together.
    ///
    /// @return the address of the first, or -1 where too few lie together
    long takeAddresses(long wanted) {
        long first = firstWith(wanted);
        if (first >= 0) {
            long rest = removeFrom(first, wanted);
            if (rest > GAP) {
                add(new Buffer("", first + wanted, rest - GAP));
            }
        }
        return first;
    }

    /// The lowest address where so many bytes follow on one another, or -1.
    private long firstWith(long wanted) {
        long first = -1;
        long behind = -1;
        for (Buffer buffer : byAddress.values()) {
            long start = buffer.address();
            first = start == behind ? first : start;
            behind = start + taken(buffer.bytes());
            if (behind - first >= wanted) {
                return first;
            }
        }
        return -1;
    }

    /// Takes away buffers from an address on, until so many bytes are free. Returns how many
    /// bytes more were.
    private long removeFrom(long address, long wanted) {
        long behind = address;
        while (behind - address < wanted) {
            Buffer buffer = byAddress.remove(behind);
            if (buffer == null) {
                throw new IllegalStateException("no buffer at 0x%x".formatted(behind));
            }
            behind += taken(buffer.bytes());
        }
        return behind - address - wanted;
    }
}
