package dev.heddle.isa;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Where sections of the PTX manual are on the web.
///
/// NVIDIA's page shows its newest version, whose section numbers may differ; the anchors stay.
public final class ManualAnchor {
    private static final String PAGE = "https://docs.nvidia.com/cuda/parallel-thread-execution/#";

    /// Section of PTX ISA 9.1, and the anchor that its heading has there.
    private static final String ANCHORS =
            """
            9.7.14.4.1 warp-level-matrix-fragment
            9.7.14.4.2 warp-level-matrix-storage
            9.7.14.4.3 warp-level-matrix-instructions-wmma-ld
            9.7.14.4.4 warp-level-matrix-instructions-wmma-st
            9.7.14.4.5 warp-level-matrix-instructions-wmma-mma
            9.7.14.5.1 warp-level-matrix-fragment-mma-884-f16
            9.7.14.5.2 warp-level-matrix-fragment-mma-884-f64
            9.7.14.5.3 warp-level-matrix-fragment-mma-8816
            9.7.14.5.4 warp-level-matrix-fragment-mma-8832
            9.7.14.5.5 warp-level-matrix-fragment-mma-88128
            9.7.14.5.6 warp-level-matrix-fragment-mma-1684
            9.7.14.5.7 warp-level-matrix-fragment-mma-1688
            9.7.14.5.8 warp-level-matrix-fragment-mma-16816-float
            9.7.14.5.9 warp-level-matrix-fragment-mma-16816-i8-f8
            9.7.14.5.10 warp-level-matrix-fragment-mma-16832
            9.7.14.5.11 warp-level-matrix-fragment-mma-16864
            9.7.14.5.12 warp-level-matrix-fragment-mma-168128
            9.7.14.5.13 warp-level-matrix-fragment-mma-168256
            9.7.14.5.14 warp-level-matrix-instructions-mma
            9.7.14.5.15 warp-level-matrix-instructions-ldmatrix
            9.7.14.5.16 warp-level-matrix-instructions-stmatrix
            9.7.14.5.17 warp-level-matrix-instructions-movmatrix
            9.7.14.6.1 warp-level-sparse-matrix-storage
            9.7.14.6.2 warp-level-matrix-fragments-for-sparse-mma
            9.7.14.6.2.1 warp-level-matrix-fragment-sparse-mma-16816-f16bf16
            9.7.14.6.2.2 warp-level-matrix-fragment-sparse-mma-16832-f16bf16
            9.7.14.6.2.3 warp-level-matrix-fragment-sparse-mma-16816-tf32
            9.7.14.6.2.4 warp-level-matrix-fragment-sparse-mma-1688-tf32
            9.7.14.6.2.5 warp-level-matrix-fragment-sparse-mma-16832-u8s8
            9.7.14.6.2.6 warp-level-matrix-fragment-sparse-mma-16864-u8s8-fp8
            9.7.14.6.2.7 warp-level-matrix-fragment-sparse-mma-16864-u4s4
            9.7.14.6.2.8 warp-level-matrix-fragment-sparse-mma-168128-u4s4
            9.7.14.6.3 warp-level-matrix-instructions-sparse-mma
            9.7.15.5.1 asynchronous-warpgroup-level-matrix-fragment
            9.7.15.5.1.1 asynchronous-warpgroup-level-matrix-register-fragment
            9.7.15.5.1.1.1 asynchronous-warpgroup-level-matrix-register-fragment-wgmma-64n16
            9.7.15.5.1.1.2 asynchronous-warpgroup-level-matrix-register-fragment-wgmma-64n8
            9.7.15.5.1.1.3 asynchronous-warpgroup-level-matrix-register-fragment-wgmma-64n32
            9.7.15.5.1.1.4 asynchronous-warpgroup-level-matrix-register-fragment-wgmma-64n256
            9.7.15.5.1.2 asynchronous-warpgroup-level-matrix-shared-memory-layout
            9.7.15.5.1.2.1 asynchronous-warpgroup-level-majorness-supported-by-strides
            9.7.15.5.1.2.1.1 asynchronous-warpgroup-level-leading-dimension-byte-offset
            9.7.15.5.1.2.1.2 asynchronous-warpgroup-level-stride-dimension-byte-offset
            9.7.15.5.1.2.1.3 asynchronous-warpgroup-level-canonical-layouts
            9.7.15.5.1.2.2 asynchronous-warpgroup-level-matrix-shared-memory-layout-matrix-descriptor
            9.7.15.5.2 asynchronous-warpgroup-level-matrix-instructions-wgmma-mma
            9.7.15.6.1 asynchronous-warpgroup-level-sparse-matrix-storage
            9.7.15.6.2 asynchronous-warpgroup-level-matrix-fragments-for-sparse-wgmma
            9.7.15.6.2.1 asynchronous-warpgroup-level-matrix-fragment-sparse-wgmma-64n32
            9.7.15.6.2.2 asynchronous-warpgroup-level-matrix-fragment-sparse-wgmma-64n16
            9.7.15.6.2.3 asynchronous-warpgroup-level-matrix-fragment-sparse-wgmma-64n64
            9.7.15.6.3 asynchronous-warpgroup-level-matrix-instructions-wgmma-mma-sp
            9.7.15.7.1 asynchronous-warpgroup-level-matrix-instructions-wgmma-fence
            9.7.15.7.2 asynchronous-warpgroup-level-matrix-instructions-wgmma-commit-group
            9.7.15.7.3 asynchronous-warpgroup-level-matrix-instructions-wgmma-wait-group
            """;

    private static final Map<String, String> BY_SECTION = read();

    private ManualAnchor() {}

    private static Map<String, String> read() {
        Map<String, String> anchors = new LinkedHashMap<>();
        for (String line : ANCHORS.lines().toList()) {
            int blank = line.indexOf(' ');
            anchors.put(line.substring(0, blank), line.substring(blank + 1));
        }
        return Map.copyOf(anchors);
    }

    /// The address of a section such as `9.7.14.5.8`; empty if it is not known.
    public static Optional<String> link(String section) {
        return Optional.ofNullable(BY_SECTION.get(section)).map(anchor -> PAGE + anchor);
    }

    /// The anchors by section.
    public static Map<String, String> all() {
        return BY_SECTION;
    }
}
