package dev.heddle.vm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The memory that is kept of a page of global memory, with all that it can be asked to keep.
@DisplayName("shadow of global memory")
@Isolated("measures the heap")
final class ShadowPageTest {
    private static final int PAGES = 4096;

    private static ShadowPage fullest(MemorySegment sectors, MemorySegment lock) {
        ShadowPage page = new ShadowPage(sectors, MemorySegment.NULL, lock);
        for (int at = 0; at < ShadowPage.BYTES; at += ShadowPage.SECTOR) {
            page.split(at, ShadowPage.SECTOR);
        }
        for (int at = 0; at < ShadowPage.BYTES; at += ShadowPage.WORD) {
            page.split(at, ShadowPage.WORD);
        }
        for (int row = 0; row < 100; row++) {
            long stamp = Stamp.of(row + 1, 0, Stamp.WEAK, 0);
            page.reads().add(stamp, 64L * row, 1);
            page.writes().add(stamp, 64L * row, 1);
        }
        return page;
    }

    /// Bytes of the heap in use, once nothing more is freed: what other tests have left goes by and
    /// by, behind the cleaners of its memory.
    private static long used() throws InterruptedException {
        long before = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            System.gc();
            Thread.sleep(10);
            long now = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
            if (now > before - ShadowPage.BYTES) {
                return now;
            }
            before = now;
        }
        return before;
    }

    /// Pages as full as they get, and the memory that they share.
    private static List<Object> fullPages() {
        List<Object> held = new ArrayList<>();
        int stamps = ShadowPage.SECTOR_STAMPS;
        MemorySegment sectors = MemorySegment.ofArray(new long[PAGES * stamps / Long.BYTES]);
        MemorySegment locks = MemorySegment.ofArray(new int[PAGES]);
        for (int i = 0; i < PAGES; i++) {
            ShadowPage page =
                    fullest(
                            sectors.asSlice((long) i * stamps, stamps),
                            locks.asSlice((long) i * Integer.BYTES, Integer.BYTES));
            assertThat(page.reads().count()).isEqualTo(36);
            assertThat(page.writes().count()).isEqualTo(36);
            held.add(page);
        }
        held.add(sectors);
        held.add(locks);
        return held;
    }

    private static double bytesForEach() throws InterruptedException {
        List<Object> held = fullPages();
        long with = used();
        assertThat(held).hasSize(PAGES + 2);
        held.clear();
        return (double) (with - used()) / PAGES / ShadowPage.BYTES;
    }

    @Test
    @DisplayName("at most three bytes for each byte")
    void atMostThreeBytesForEach() throws InterruptedException {
        // What other tests have left is freed by and by, and so in the midst of some of these.
        double[] measured = new double[7];
        for (int i = 0; i < measured.length; i++) {
            measured[i] = bytesForEach();
        }
        Arrays.sort(measured);
        assertThat(measured[measured.length / 2]).isBetween(2.5, 3.0);
    }
}
