package dev.heddle.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// One GPU, before anything is allocated on it.
public final class Device {
    private static final int NAME_BYTES = 256;

    private final Driver driver;
    private final int ordinal;
    private final int handle;

    Device(Driver driver, int ordinal, int handle) {
        this.driver = driver;
        this.ordinal = ordinal;
        this.handle = handle;
    }

    /// What a device can be asked about itself; the numbers are those of `CUdevice_attribute`.
    public enum Attribute {
        MAX_THREADS_PER_BLOCK(1),
        MAX_SHARED_MEMORY_PER_BLOCK(8),
        WARP_SIZE(10),
        CLOCK_RATE_KILOHERTZ(13),
        MULTIPROCESSOR_COUNT(16),
        L2_CACHE_BYTES(38),
        COMPUTE_CAPABILITY_MAJOR(75),
        COMPUTE_CAPABILITY_MINOR(76),
        MAX_SHARED_MEMORY_PER_BLOCK_OPTIN(97);

        final int number;

        Attribute(int number) {
            this.number = number;
        }
    }

    /// The driver this device belongs to.
    public Driver driver() {
        return driver;
    }

    /// The number it was opened by.
    public int ordinal() {
        return ordinal;
    }

    /// The product's name, such as `NVIDIA H200`.
    public String name() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(NAME_BYTES);
            driver.call("cuDeviceGetName", name, NAME_BYTES, handle);
            return name.getString(0);
        }
    }

    /// One attribute of the device.
    public int attribute(Attribute attribute) {
        return driver.readInt("cuDeviceGetAttribute", attribute.number, handle);
    }

    /// The target that PTX names it by: `sm_90` for compute capability 9.0.
    public String architecture() {
        return "sm_"
                + attribute(Attribute.COMPUTE_CAPABILITY_MAJOR)
                + attribute(Attribute.COMPUTE_CAPABILITY_MINOR);
    }

    /// Its memory in bytes.
    public long totalMemory() {
        return driver.readLong("cuDeviceTotalMem", handle);
    }

    /// Retains the device's primary context, in which everything else happens (0.1 to 0.2 s the
    /// first time); the caller closes it.
    public Context open() {
        MemorySegment context = driver.readHandle("cuDevicePrimaryCtxRetain", handle);
        return new Context(this, handle, context);
    }

    @Override
    public String toString() {
        return "device " + ordinal + ": " + name() + " (" + architecture() + ")";
    }
}
