package dev.heddle.vm.advice;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/// How an access of a warp is cut into what the memory serves at once.
final class Coalescing {
    private static final int BANKS = 32;
    private static final int WORD = 4;
    private static final int SECTOR = 32;

    private Coalescing() {}

    /// What shared memory makes of an access.
    ///
    /// @param wavefronts that it takes
    /// @param ideal that it would take without conflicts
    /// @param ways the most words that one bank is asked for at once
    record Banks(int wavefronts, int ideal, int ways) {}

    /// What global memory makes of an access.
    ///
    /// @param sectors of 32 bytes that are moved
    /// @param ideal sectors that the bytes asked for would fill
    /// @param bytes asked for, those of several lanes counted once
    record Sectors(int sectors, int ideal, int bytes) {}

    /// An access to shared memory: successive words of 32 bits are in successive banks; a bank
    /// gives one word at a time, to all lanes that ask for it. Lanes with 8 bytes each are served
    /// in halves of a warp, with 16 bytes in quarters.
    ///
    /// @param addresses of the lanes
    /// @param bytes that each lane asks for: 1 to 16
    /// @param lanes that take part
    static Banks banks(long[] addresses, int bytes, int lanes) {
        int together = 32 / Math.max(1, bytes / WORD);
        int wavefronts = 0;
        int ideal = 0;
        int ways = 0;
        for (int first = 0; first < addresses.length; first += together) {
            int most = deepestBank(addresses, bytes, lanes, first, first + together);
            wavefronts += most;
            ideal += most > 0 ? 1 : 0;
            ways = Math.max(ways, most);
        }
        return new Banks(wavefronts, ideal, ways);
    }

    private static int deepestBank(long[] addresses, int bytes, int lanes, int first, int end) {
        long[] words = new long[(end - first) * (bytes / WORD + 2)];
        int count = 0;
        for (int lane = first; lane < end; lane++) {
            if ((lanes >>> lane & 1) != 0) {
                long last = (addresses[lane] + bytes - 1) / WORD;
                for (long word = addresses[lane] / WORD; word <= last; word++) {
                    words[count++] = word;
                }
            }
        }
        Arrays.sort(words, 0, count);
        int[] depth = new int[BANKS];
        int most = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || words[i] != words[i - 1]) {
                int bank = (int) Math.floorMod(words[i], (long) BANKS);
                most = Math.max(most, ++depth[bank]);
            }
        }
        return most;
    }

    /// An atomic operation on shared memory: a bank serves one lane at a time, whatever the others
    /// ask it for.
    ///
    /// @param addresses of the lanes
    /// @param bytes of each lane: 4 or 8
    /// @param lanes that take part
    static Banks turns(long[] addresses, int bytes, int lanes) {
        int together = 32 / (bytes / WORD);
        int wavefronts = 0;
        int ideal = 0;
        int ways = 0;
        for (int first = 0; first < 32; first += together) {
            int[] depth = new int[BANKS];
            int most = 0;
            for (int lane = first; lane < first + together; lane++) {
                if ((lanes >>> lane & 1) != 0) {
                    int bank = (int) Math.floorMod(addresses[lane] / WORD, (long) BANKS);
                    most = Math.max(most, ++depth[bank]);
                }
            }
            wavefronts += most;
            ideal += most > 0 ? 1 : 0;
            ways = Math.max(ways, most);
        }
        return new Banks(wavefronts, ideal, ways);
    }

    /// An atomic operation on global memory: of the lanes that ask for one place each takes a turn,
    /// and each turn moves its sectors.
    static Sectors sectorsInTurns(long[] addresses, int bytes, int lanes) {
        Sectors once = sectors(addresses, bytes, lanes);
        int sectors = 0;
        int rest = lanes;
        while (rest != 0) {
            int turn = 0;
            Set<Long> places = new HashSet<>();
            for (int open = rest; open != 0; open &= open - 1) {
                int lane = Integer.numberOfTrailingZeros(open);
                turn |= places.add(addresses[lane]) ? 1 << lane : 0;
            }
            sectors += sectors(addresses, bytes, turn).sectors();
            rest &= ~turn;
        }
        return new Sectors(sectors, once.ideal(), once.bytes());
    }

    /// An access to global memory, which moves whole sectors.
    static Sectors sectors(long[] addresses, int bytes, int lanes) {
        long[] starts = new long[Integer.bitCount(lanes)];
        int count = 0;
        for (int rest = lanes; rest != 0; rest &= rest - 1) {
            starts[count++] = addresses[Integer.numberOfTrailingZeros(rest)];
        }
        Arrays.sort(starts);
        int sectors = 0;
        int distinct = 0;
        long nextSector = Long.MIN_VALUE;
        long nextByte = Long.MIN_VALUE;
        for (long start : starts) {
            long end = start + bytes;
            distinct += (int) (end - Math.max(start, Math.min(nextByte, end)));
            nextByte = Math.max(nextByte, end);
            long first = Math.max(Math.floorDiv(start, SECTOR), nextSector);
            long last = Math.floorDiv(end - 1, SECTOR);
            sectors += (int) Math.max(0, last - first + 1);
            nextSector = Math.max(nextSector, last + 1);
        }
        return new Sectors(sectors, Math.ceilDiv(distinct, SECTOR), distinct);
    }
}
