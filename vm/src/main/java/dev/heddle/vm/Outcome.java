package dev.heddle.vm;

import dev.heddle.vm.report.Finding;
import dev.heddle.vm.report.Found;
import dev.heddle.vm.report.Report;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/// What a launch left behind.
///
/// @param found what it did wrong
/// @param buffers the contents of every named buffer afterwards
/// @param output what the kernel printed, CTA after CTA
/// @param report how long it took, what ran, how faithful it was
public record Outcome(Found found, Map<String, byte[]> buffers, String output, Report report) {
    public Outcome {
        buffers = Map.copyOf(buffers);
    }

    /// One that findings have ended, if there are any.
    public Outcome(
            List<Finding> findings, Map<String, byte[]> buffers, String output, Report report) {
        this(Found.ending(findings), buffers, output, report);
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

    /// The contents of a buffer.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public byte[] buffer(String name) {
        byte[] bytes = buffers.get(name);
        if (bytes == null) {
            throw new IllegalArgumentException("no buffer " + name + " among " + buffers.keySet());
        }
        return bytes;
    }

    /// The contents of a buffer of `.b32` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public int[] ints(String name) {
        int[] elements = new int[buffer(name).length / Integer.BYTES];
        little(name).asIntBuffer().get(elements);
        return elements;
    }

    /// The contents of a buffer of `.b64` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public long[] longs(String name) {
        long[] elements = new long[buffer(name).length / Long.BYTES];
        little(name).asLongBuffer().get(elements);
        return elements;
    }

    /// The contents of a buffer of `.b16` elements: integers, or codes of f16 or bf16.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public short[] shorts(String name) {
        short[] elements = new short[buffer(name).length / Short.BYTES];
        little(name).asShortBuffer().get(elements);
        return elements;
    }

    /// The contents of a buffer of `.f32` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public float[] floats(String name) {
        float[] elements = new float[buffer(name).length / Float.BYTES];
        little(name).asFloatBuffer().get(elements);
        return elements;
    }

    /// The contents of a buffer of `.f64` elements.
    ///
    /// @throws IllegalArgumentException where the launch had no such buffer
    public double[] doubles(String name) {
        double[] elements = new double[buffer(name).length / Double.BYTES];
        little(name).asDoubleBuffer().get(elements);
        return elements;
    }

    private ByteBuffer little(String name) {
        return ByteBuffer.wrap(buffer(name)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
