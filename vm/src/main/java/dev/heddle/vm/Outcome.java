package dev.heddle.vm;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.report.Report;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;

/// What a launch left behind.
///
/// Large buffers are not copied: they are where the launch has left them. Close the outcome when
/// its buffers were read, and the next launch has that memory; the garbage collector finds it, too,
/// but later.
///
/// @param found what it did wrong
/// @param buffers the contents of every named buffer afterwards, to be read until this is closed
/// @param output what the kernel printed, CTA after CTA
/// @param report how long it took, what ran, how faithful it was
/// @param release gives back the memory in which the buffers are
public record Outcome(
        Found found,
        Map<String, MemorySegment> buffers,
        String output,
        Report report,
        Runnable release)
        implements AutoCloseable {
    public Outcome {
        buffers = Map.copyOf(buffers);
    }

    /// One whose buffers need no closing.
    public Outcome(Found found, Map<String, MemorySegment> buffers, String output, Report report) {
        this(found, buffers, output, report, () -> {});
    }

    /// One that findings have ended, if there are any.
    public Outcome(
            List<Finding> findings,
            Map<String, MemorySegment> buffers,
            String output,
            Report report) {
        this(Found.ending(findings), buffers, output, report);
    }

    /// The same with other findings.
    Outcome with(List<Finding> others) {
        return new Outcome(
                new Found(
                        others,
                        found.warnings(),
                        found.suppressed(),
                        found.omitted(),
                        found.complete()),
                buffers,
                output,
                report,
                release);
    }

    /// What it did wrong: why it ended early, unless all findings were wanted.
    public List<Finding> findings() {
        return found.findings();
    }

    /// What deserves a look and has ended nothing.
    public List<Finding> warnings() {
        return found.warnings();
    }

    /// Whether it did nothing wrong: the kernel ran to its end.
    public boolean isClean() {
        return found.findings().isEmpty();
    }

    /// The contents of a buffer, in place: read-only, until this is closed.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public MemorySegment segment(String name) {
        MemorySegment bytes = buffers.get(name);
        if (bytes == null) {
            throw new IllegalArgumentException("no buffer " + name + " among " + buffers.keySet());
        }
        return bytes;
    }

    /// A copy of the contents of a buffer.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public byte[] buffer(String name) {
        return segment(name).toArray(ValueLayout.JAVA_BYTE);
    }

    /// The contents of a buffer of `.b32` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public int[] ints(String name) {
        return whole(name, Integer.BYTES).toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    /// The contents of a buffer of `.b64` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public long[] longs(String name) {
        return whole(name, Long.BYTES).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    }

    /// The contents of a buffer of `.b16` elements: integers, or codes of f16 or bf16.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public short[] shorts(String name) {
        return whole(name, Short.BYTES).toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
    }

    /// The contents of a buffer of `.f32` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public float[] floats(String name) {
        return whole(name, Float.BYTES).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    /// The contents of a buffer of `.f64` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public double[] doubles(String name) {
        return whole(name, Double.BYTES).toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
    }

    /// A buffer without what is no whole element.
    private MemorySegment whole(String name, int bytes) {
        MemorySegment all = segment(name);
        return all.asSlice(0, all.byteSize() / bytes * bytes);
    }

    /// Gives back the memory in which the buffers are.
    @Override
    public void close() {
        release.run();
    }
}
