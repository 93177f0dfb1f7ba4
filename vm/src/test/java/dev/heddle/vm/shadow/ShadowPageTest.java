package dev.heddle.vm.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The memory that is kept of a page of global memory, with all that it can be asked to keep.
@DisplayName("shadow of global memory")
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

    /// Bytes of the heap in use, once nothing more is freed.
    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
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

    /// Prints the bytes for each byte, in a JVM that does nothing else.
    public static void main(String[] arguments) {
        double[] measured = new double[7];
        for (int i = 0; i < measured.length; i++) {
            measured[i] = bytesForEach();
        }
        Arrays.sort(measured);
        System.out.println(measured[measured.length / 2]);
    }

    @Test
    @DisplayName("at most three bytes for each byte")
    void atMostThreeBytesForEach() throws IOException, InterruptedException {
        Process measuring =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xmx512m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ShadowPageTest.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        String printed = new String(measuring.getInputStream().readAllBytes(), UTF_8);
        assertThat(measuring.waitFor()).isZero();
        assertThat(Double.parseDouble(printed.strip())).isBetween(2.5, 3.0);
    }
}
