package dev.heddle.vm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import javax.management.JMException;
import javax.management.ObjectName;

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

    /// Bytes of all objects that are reachable, by the JVM's own count: what other tests have left,
    /// and when it is freed, does not matter.
    private static long used() {
        try {
            Object counts =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    "gcClassHistogram",
                                    new Object[] {new String[0]},
                                    new String[] {String[].class.getName()});
            String total = String.valueOf(counts).replaceAll("(?s).*Total +", "").strip();
            return Long.parseLong(total.split("\\s+")[1]);
        } catch (JMException e) {
            throw new AssertionError(e);
        }
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

    private static double bytesForEach() {
        List<Object> held = fullPages();
        long with = used();
        assertThat(held).hasSize(PAGES + 2);
        held.clear();
        return (double) (with - used()) / PAGES / ShadowPage.BYTES;
    }

    @Test
    @DisplayName("at most three bytes for each byte")
    void atMostThreeBytesForEach() {
        // Other threads may free something in the midst of one.
        double[] measured = new double[3];
        for (int i = 0; i < measured.length; i++) {
            measured[i] = bytesForEach();
        }
        Arrays.sort(measured);
        assertThat(measured[measured.length / 2]).isBetween(2.5, 3.0);
    }
}
