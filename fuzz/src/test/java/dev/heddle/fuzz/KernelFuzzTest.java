package dev.heddle.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.heddle.formats.InputException;
import dev.heddle.vm.Argument;
import dev.heddle.vm.Kernel;
import dev.heddle.vm.Launch;
import dev.heddle.vm.Machine;

import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

/// The body of a kernel that runs, on both executors, within small limits.
final class KernelFuzzTest {
    private static final Launch.Bounds LIMITS =
            new Launch.Bounds(1 << 20, 4 << 10, 1 << 14, Duration.ofMillis(500));
    private static final String HEAD =
            """
            .version 8.8
            .target sm_90
            .address_size 64
            .visible .entry k(.param .u64 p) {
            .reg .pred %p<4>;
            .reg .b16 %h<4>;
            .reg .b32 %r<8>;
            .reg .f32 %f<4>;
            .reg .b64 %rd<4>;
            .reg .f64 %d<4>;
            .shared .align 16 .b8 s[256];
            ld.param.u64 %rd0, [p];
            mov.u32 %r0, %tid.x;
            """;

    @MethodSource("seeds")
    @FuzzTest(maxDuration = "20m")
    void run(byte[] text) {
        Kernel kernel;
        try {
            kernel =
                    Kernel.of(
                            HEAD + new String(text, StandardCharsets.UTF_8) + "\n}\n",
                            "fuzz.ptx",
                            "k");
        } catch (InputException e) {
            return;
        }
        Launch launch =
                Launch.grid(1).block(32).passing(Argument.poison("p", 256)).withLimits(LIMITS);
        for (Machine machine : new Machine[] {Machine.interpreter(), Machine.compiler()}) {
            try {
                machine.run(kernel, launch);
            } catch (InputException e) {
                // The launch does not fit the kernel that the text made of it.
            }
        }
    }

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "add.s32 %r1, %r0, 1; st.global.u32 [%rd0], %r1; ret;",
                        "L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra L;",
                        "st.shared.u32 [s], %r0; bar.sync 0; ld.shared.u32 %r3, [s + 4];",
                        "shfl.sync.bfly.b32 %r1|%p1, %r0, 1, 31, -1; vote.sync.all.pred %p2, %p1,"
                                + " -1;",
                        "cvt.rn.f32.u32 %f1, %r0; ex2.approx.f32 %f2, %f1; fma.rn.f32 %f3, %f1,"
                                + " %f2, %f2;",
                        "atom.global.add.u32 %r4, [%rd0 + 8], 1; red.shared.max.s32 [s], %r0;",
                        "mbarrier.init.shared.b64 [s], 32; mbarrier.arrive.shared.b64 %rd1, [s];",
                        "cp.async.ca.shared.global [s], [%rd0], 16; cp.async.wait_all;",
                        "{ .reg .b32 %r<2>; mov.b64 {%r0, %r1}, %rd0; brkpt; trap; }",
                        "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r0}, {%r0},"
                                + " {%r1, %r2};")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }
}
