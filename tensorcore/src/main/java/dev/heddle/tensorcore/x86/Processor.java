package dev.heddle.tensorcore.x86;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the processor that we run on can do, and what the JVM makes of it.
public final class Processor {
    private static final List<String> NEEDED =
            List.of("avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd", "fma", "popcnt");

    private static final List<String> NEEDED_WITH_AVX2 =
            List.of("avx2", "fma", "f16c", "bmi1", "bmi2", "popcnt");

    private static final Set<String> FLAGS = flags();

    private static final boolean USES_AVX512 =
            FLAGS.containsAll(NEEDED) && !Boolean.getBoolean("heddle.noAvx512");

    private static final boolean COMPILES_VECTORS =
            !System.getProperty("java.vm.info", "").contains("emulated-client");

    private Processor() {}

    /// Whether machine code of [Assembler#forThisProcessor] may run: with AVX-512 or AVX2, where
    /// native access is allowed, and `-Dheddle.noMachineCode` does not turn it off.
    public static boolean runsMachineCode() {
        return !Boolean.getBoolean("heddle.noMachineCode")
                && Processor.class.getModule().isNativeAccessEnabled()
                && (hasAvx512() || FLAGS.containsAll(NEEDED_WITH_AVX2));
    }

    /// Whether it is an x86-64 with AVX-512 (F, DQ, BW, VL and CD) under a Linux that keeps its
    /// registers. `-Dheddle.noAvx512` leaves it unused.
    public static boolean hasAvx512() {
        return USES_AVX512;
    }

    /// Whether the JVM makes instructions of Java's vectors. Its optimising compiler does; with the
    /// first compiler alone (`-XX:TieredStopAtLevel=1`), which the JVM calls an emulated client,
    /// each vector stays an object, and a loop over them takes hundreds of times as long.
    public static boolean compilesVectors() {
        return COMPILES_VECTORS;
    }

    /// Whether it has an extension, by the kernel's name for it: `avx512_vpopcntdq`.
    public static boolean has(String flag) {
        return FLAGS.contains(flag);
    }

    /// The kernel lists only what it lets programs use.
    private static Set<String> flags() {
        if (!System.getProperty("os.name").equals("Linux")
                || !System.getProperty("os.arch").equals("amd64")) {
            return Set.of();
        }
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            String line = lines.filter(each -> each.startsWith("flags")).findFirst().orElse("");
            return new HashSet<>(Arrays.asList(line.split("\\s+")));
        } catch (IOException e) {
            return Set.of();
        }
    }
}
