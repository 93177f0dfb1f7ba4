package dev.heddle.vm.memory;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/// Buffers by their addresses.
final class Buffers {
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

    /// The lowest address where so many bytes follow on one another, or -1.
    ///
    /// @param taken the bytes that a buffer of some size takes, the gap behind it included
    long firstWith(long wanted, LongUnaryOperator taken) {
        long first = -1;
        long behind = -1;
        for (Buffer buffer : byAddress.values()) {
            long start = buffer.address();
            first = start == behind ? first : start;
            behind = start + taken.applyAsLong(buffer.bytes());
            if (behind - first >= wanted) {
                return first;
            }
        }
        return -1;
    }

    /// Takes away buffers from an address on, until so many bytes are free. Returns how many
    /// bytes more were.
    ///
    /// @param taken as for [#firstWith]
    long removeFrom(long address, long wanted, LongUnaryOperator taken) {
        long behind = address;
        while (behind - address < wanted) {
            Buffer buffer = byAddress.remove(behind);
            if (buffer == null) {
                throw new IllegalStateException("no buffer at 0x%x".formatted(behind));
            }
            behind += taken.applyAsLong(buffer.bytes());
        }
        return behind - address - wanted;
    }
}
