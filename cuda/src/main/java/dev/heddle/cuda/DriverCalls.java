package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;

/// What calls the driver's functions, each by its documented name.
abstract class DriverCalls {
    /// Calls a function; returns its `CUresult`.
    abstract int resultOf(String function, Object... arguments);

    abstract DriverException failure(String function, int result, String log);

    /// Calls a function that must succeed.
    final void call(String function, Object... arguments) {
        int result = resultOf(function, arguments);
        if (result != 0) {
            throw failure(function, result, "");
        }
    }

    // Functions that write their answer to where their first argument points.

    /// @param rest the other arguments
    final int readInt(String function, Object... rest) {
        return read(function, rest).get(ValueLayout.JAVA_INT, 0);
    }

    final long readLong(String function, Object... rest) {
        return read(function, rest).get(ValueLayout.JAVA_LONG, 0);
    }

    final float readFloat(String function, Object... rest) {
        return read(function, rest).get(ValueLayout.JAVA_FLOAT, 0);
    }

    final MemorySegment readHandle(String function, Object... rest) {
        return read(function, rest).get(ValueLayout.ADDRESS, 0);
    }

    private MemorySegment read(String function, Object... rest) {
        MemorySegment out = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
        call(function, Stream.concat(Stream.of(out), Stream.of(rest)).toArray());
        return out;
    }
}
