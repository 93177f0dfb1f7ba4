package dev.heddle.vm.compiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// The kernel in which [MachineCodeTest] tries instructions.
final class MachineCodeKernel {
    /// Threads of a CTA, each with three words of input and of output.
    static final int THREADS = 96;

    private static final long[] CORNERS = {
        0,
        1,
        -1,
        0x8000_0000_8000_0000L,
        0x7fff_ffff_7fff_ffffL,
        0x3f80_0000_3f80_0000L,
        0xbf80_0000_bf80_0000L,
        0x7f80_0000_7f80_0000L,
        0xff80_0000_ff80_0000L,
        0x7fc0_1234_7fc0_1234L,
        0x7f80_0001_7f80_0001L,
        0xffff_ffff_0000_0001L,
        0x0000_0001_ffff_ffffL,
        0x0080_0000_007f_ffffL,
        0x8000_0001_8000_0001L,
        0x4f00_0000_cf00_0000L,
        0x4f80_0000_4eff_ffffL,
        0x7ff0_0000_0000_0000L,
        0x7ff0_0000_0000_0001L,
        0x3ff0_0000_0000_0000L,
        31,
        32,
        33,
        63,
        64,
        0x4000_0000_4040_0000L,
        0x7c00_7e01_fc00_0001L,
        0x40a0_0000_c0a0_0000L
    };

    /// Words of input, corners among them.
    static byte[] inputs(long seed) {
        Random random = new Random(seed);
        ByteBuffer bytes = ByteBuffer.allocate(24 * THREADS).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 3 * THREADS; i++) {
            bytes.putLong(
                    random.nextInt(3) > 0
                            ? CORNERS[random.nextInt(CORNERS.length)]
                            : random.nextLong());
        }
        return bytes.array();
    }

    /// A kernel around instructions that leave what they compute in `%r9`, `%f9`, `%rd9`, `%d9`
    /// and `%p2`.
    static String module(String instructions) {
        return """
        .version 8.8
        .target sm_100
        .address_size 64
        .visible .entry k(.param .u64 a, .param .u64 out, .param .u32 n)
        {
            .reg .pred %%p<9>;
            .reg .b16 %%h<9>;
            .reg .b32 %%r<19>;
            .reg .f32 %%f<9>;
            .reg .b64 %%rd<19>;
            .reg .f64 %%d<9>;
            .shared .align 16 .b8 tile[4096];
            ld.param.u64 %%rd1, [a];
            ld.param.u64 %%rd2, [out];
            mov.u32 %%r1, %%tid.x;
            mul.wide.u32 %%rd3, %%r1, 24;
            add.u64 %%rd4, %%rd1, %%rd3;
            add.u64 %%rd5, %%rd2, %%rd3;
            ld.global.b64 %%rd6, [%%rd4];
            ld.global.b64 %%rd7, [%%rd4+8];
            ld.global.b64 %%rd8, [%%rd4+16];
            ld.global.b32 %%r2, [%%rd4];
            ld.global.b32 %%r3, [%%rd4+8];
            ld.global.b32 %%r4, [%%rd4+16];
            mov.b32 %%f2, %%r2;
            mov.b32 %%f3, %%r3;
            mov.b32 %%f4, %%r4;
            mov.b64 %%d2, %%rd6;
            mov.b64 %%d3, %%rd7;
            mov.b64 %%d4, %%rd8;
            setp.lt.s32 %%p1, %%r4, 7;
            mov.b32 %%r9, 77;
            mov.b64 %%rd9, 78;
            mov.f32 %%f9, 0f40000000;
            mov.f64 %%d9, 0d4000000000000000;
            mov.pred %%p2, 0;
            %s
            selp.b32 %%r10, 1, 2, %%p2;
            st.global.b32 [%%rd5], %%r9;
            st.global.b32 [%%rd5+4], %%f9;
            st.global.b64 [%%rd5+8], %%rd9;
            st.global.b64 [%%rd5+16], %%d9;
            @%%p2 st.global.b32 [%%rd5], %%r10;
            ret;
        }
        """
                .formatted(instructions)
                .replace("%f<9>", "%f<19>")
                .replace("%d<9>", "%d<19>");
    }

    private MachineCodeKernel() {}
}
