package dev.heddle.cuda;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// The CUDA driver of this machine, loaded and initialised: the entrance to its devices.
///
/// The library stays loaded until the JVM ends, as the driver asks; what costs memory on a device
/// hangs off a [Context], which is closed.
public final class Driver extends DriverCalls {
    /// The name under which the driver's library is found on Linux.
    public static final String LIBRARY = "libcuda.so.1";

    private final DriverApi functions;
    private final Version version;

    private Driver(DriverApi functions) {
        this.functions = functions;
        call("cuInit", 0);
        int packed = readInt("cuDriverGetVersion");
        this.version = new Version(packed / 1000, packed % 1000 / 10);
    }

    /// Opens the driver of this machine; the first call initialises it (0.1 to 0.3 s).
    ///
    /// @throws DriverUnavailableException if there is no driver, or one older than CUDA 12.0
    /// @throws CudaException if the driver is there but does not start (`CUDA_ERROR_NO_DEVICE`)
    public static Driver load() {
        return load(LIBRARY);
    }

    /// Opens a driver library by name or path.
    static Driver load(String library) {
        return new Driver(DriverApi.bind(library, Arena.global()));
    }

    /// The CUDA version the driver supports: its compiler accepts PTX of that version and older.
    ///
    /// @param major 13 for CUDA 13.0
    /// @param minor 0 for CUDA 13.0
    public record Version(int major, int minor) {
        @Override
        public String toString() {
            return major + "." + minor;
        }
    }

    /// The CUDA version of the driver.
    public Version version() {
        return version;
    }

    /// The release of the driver, such as `580.159.04`, as its kernel module tells it on Linux:
    /// the driver API does not.
    public Optional<String> release() {
        try {
            Matcher release =
                    Pattern.compile("\\b\\d{3}\\.\\d+(\\.\\d+)?\\b")
                            .matcher(Files.readString(Path.of("/proc/driver/nvidia/version")));
            return release.find() ? Optional.of(release.group()) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// Every device the driver lets this process see, in its order.
    public List<Device> devices() {
        int count = readInt("cuDeviceGetCount");
        return IntStream.range(0, count).mapToObj(this::device).toList();
    }

    /// One device by its number, from 0.
    ///
    /// @throws CudaException `CUDA_ERROR_INVALID_DEVICE` if there are not so many
    public Device device(int ordinal) {
        int handle = readInt("cuDeviceGet", ordinal);
        return new Device(this, ordinal, handle);
    }

    @Override
    int resultOf(String function, Object... arguments) {
        return functions.call(function, arguments);
    }

    @Override
    DriverException failure(String function, int result, String log) {
        return new DriverException(
                function,
                result,
                describe("cuGetErrorName", result, "CUresult " + result),
                describe("cuGetErrorString", result, "the driver has no text for it"),
                log);
    }

    @SuppressWarnings("restricted") // native memory and code are what this package is about
    private String describe(String function, int result, String otherwise) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
            MemorySegment found =
                    resultOf(function, result, text) == 0
                            ? text.get(ValueLayout.ADDRESS, 0)
                            : MemorySegment.NULL;
            return found.address() == 0
                    ? otherwise
                    : found.reinterpret(Long.MAX_VALUE).getString(0);
        }
    }
}
