package dev.heddle.programs.driver;

import dev.heddle.programs.host.CudaException;
import dev.heddle.programs.host.Host;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// What a program asks to be told about compiling or linking (`CUjit_option`); the other options
/// are for an assembler.
final class JitOptions {
    private static final int WALL_TIME = 2;
    private static final int INFO_LOG = 3;
    private static final int INFO_BYTES = 4;
    private static final int ERROR_LOG = 5;
    private static final int ERROR_BYTES = 6;

    private static final double NANOSECONDS = 1e-6;

    /// Where the value of each option is.
    private final Map<Integer, Long> values = new HashMap<>();

    private final Log info;
    private final Log error;
    private final StringBuilder errors = new StringBuilder();
    private long nanoseconds;

    /// A buffer for messages.
    ///
    /// @param bytes that it has room for, the zero at the end included
    /// @param told where to write how many were written
    private record Log(long buffer, int bytes, long told) {
        void write(String text) {
            byte[] message = text.getBytes(StandardCharsets.UTF_8);
            int written = 0;
            if (buffer != 0 && bytes > 0) {
                written = Math.min(message.length, bytes - 1);
                Host.at(buffer, written)
                        .copyFrom(MemorySegment.ofArray(message).asSlice(0, written));
                Host.putByte(buffer + written, 0);
            }
            if (told != 0) {
                // Of a text that was cut an H100's driver counts the zero, too.
                boolean isCut = written > 0 && written < message.length;
                Host.putInt(told, isCut ? bytes : written);
            }
        }
    }

    /// @param options the numbers of so many options
    /// @param values as many values of eight bytes
    JitOptions(int count, long options, long values) {
        for (int i = 0; i < count; i++) {
            this.values.put(Host.getInt(options + 4L * i), values + 8L * i);
        }
        info = log(INFO_LOG, INFO_BYTES);
        error = log(ERROR_LOG, ERROR_BYTES);
    }

    private Log log(int buffer, int bytes) {
        long size = values.getOrDefault(bytes, 0L);
        return new Log(
                values.containsKey(buffer) ? Host.getLong(values.get(buffer)) : 0,
                size == 0 ? 0 : Host.getInt(size),
                size);
    }

    /// Compiles, and tells how that went, behind what went wrong before.
    <T> T tell(Supplier<T> compiling) {
        long start = System.nanoTime();
        try {
            return compiling.get();
        } catch (CudaException e) {
            errors.append(e.getMessage());
            throw e;
        } finally {
            nanoseconds += System.nanoTime() - start;
            info.write("");
            error.write(errors.toString());
            Long time = values.get(WALL_TIME);
            if (time != null) {
                Host.putFloat(time, (float) (nanoseconds * NANOSECONDS));
            }
        }
    }
}
