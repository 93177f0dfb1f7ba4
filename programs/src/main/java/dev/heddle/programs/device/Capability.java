package dev.heddle.programs.device;

import static java.util.stream.Collectors.joining;

import dev.heddle.formats.InputException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a device can do (CUDA Programming Guide, tables of compute capabilities).
///
/// @param number 90 for 9.0
/// @param sharedPerMultiprocessor bytes of shared memory
/// @param sharedOptIn the most bytes of a CTA that asks for more than 48 KiB
/// @param threads resident on a multiprocessor
/// @param blocks resident on a multiprocessor
/// @param multiprocessors of the device
public record Capability(
        int number,
        int sharedPerMultiprocessor,
        int sharedOptIn,
        int threads,
        int blocks,
        int multiprocessors) {
    /// More than any GPU has.
    private static final int MOST_MULTIPROCESSORS = 1024;

    /// Registers of a multiprocessor, and of a CTA.
    public static final int REGISTERS = 65536;

    /// Programs that fill the device start so many times what fits on one multiprocessor. Each
    /// costs the host time, so there are few: where there are clusters, as many as the CTAs of a
    /// portable one.
    private Capability(
            int number, int sharedPerMultiprocessor, int sharedOptIn, int threads, int blocks) {
        this(number, sharedPerMultiprocessor, sharedOptIn, threads, blocks, number >= 90 ? 8 : 4);
    }

    private static final List<Capability> ALL =
            List.of(
                    new Capability(75, 64 << 10, 64 << 10, 1024, 16),
                    new Capability(80, 164 << 10, 163 << 10, 2048, 32),
                    new Capability(86, 100 << 10, 99 << 10, 1536, 16),
                    new Capability(87, 164 << 10, 163 << 10, 1536, 16),
                    new Capability(88, 100 << 10, 99 << 10, 1536, 16),
                    new Capability(89, 100 << 10, 99 << 10, 1536, 24),
                    new Capability(90, 228 << 10, 227 << 10, 2048, 32),
                    new Capability(100, 228 << 10, 227 << 10, 2048, 32),
                    new Capability(103, 228 << 10, 227 << 10, 2048, 32),
                    new Capability(110, 228 << 10, 227 << 10, 1536, 24),
                    new Capability(120, 100 << 10, 99 << 10, 1536, 24),
                    new Capability(121, 100 << 10, 99 << 10, 1536, 24));

    /// The device of a target.
    ///
    /// @param target such as `sm_90` or `sm_90a`
    /// @throws InputException where there is none
    public static Capability of(String target) {
        for (Capability each : ALL) {
            if (target.matches("sm_" + each.number + "[af]?")) {
                return each;
            }
        }
        throw new InputException(
                "--device %s: known are %s"
                        .formatted(
                                target,
                                ALL.stream()
                                        .map(each -> "sm_" + each.number)
                                        .collect(joining(", "))));
    }

    /// The same with another number of multiprocessors.
    ///
    /// @throws InputException where no device has so many
    public Capability withMultiprocessors(int count) {
        if (count < 1 || count > MOST_MULTIPROCESSORS) {
            throw new InputException(
                    "--multiprocessors %d: 1 to %d".formatted(count, MOST_MULTIPROCESSORS));
        }
        return new Capability(number, sharedPerMultiprocessor, sharedOptIn, threads, blocks, count);
    }

    /// What the device is called.
    public String name() {
        return "Heddle sm_" + number;
    }

    /// 9 of 9.0.
    public int major() {
        return number / 10;
    }

    /// 0 of 9.0.
    public int minor() {
        return number % 10;
    }

    /// Bytes of device memory.
    public long memoryBytes() {
        return 16L << 30;
    }

    /// Values of `cudaDeviceGetAttribute` by number, beyond those that all devices share.
    public Map<Integer, Integer> attributes() {
        Map<Integer, Integer> values = new HashMap<>();
        values.put(16, multiprocessors());
        values.put(39, threads);
        values.put(75, major());
        values.put(76, minor());
        values.put(81, sharedPerMultiprocessor);
        values.put(97, sharedOptIn);
        values.put(106, blocks);
        values.put(120, number >= 90 ? 1 : 0);
        return values;
    }

    /// CTAs of a kernel that fit on one multiprocessor.
    ///
    /// @param block threads of a CTA
    /// @param shared bytes of a CTA
    public int residentBlocks(int block, long shared) {
        if (block < 1 || block > 1024 || shared > sharedOptIn) {
            return 0;
        }
        int warps = (block + 31) / 32;
        long byShared = shared == 0 ? blocks : sharedPerMultiprocessor / (shared + 1024);
        return (int) Math.min(Math.min(blocks, threads / 32 / warps), byShared);
    }
}
