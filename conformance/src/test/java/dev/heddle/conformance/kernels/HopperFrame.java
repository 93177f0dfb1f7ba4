package dev.heddle.conformance.kernels;

import static dev.heddle.conformance.kernels.HopperKernel.REGION;
import static dev.heddle.conformance.kernels.HopperKernel.REGIONS;
import static dev.heddle.conformance.kernels.HopperKernel.THREADS;
import static dev.heddle.conformance.kernels.HopperKernel.THREAD_WORDS;

import java.util.ArrayList;
import java.util.List;

/// What is around the steps of a random Hopper kernel: it fills the regions and makes the
/// mbarriers ready, and leaves what regions and threads hold at the end.
///
/// @param cluster blocks of a cluster
record HopperFrame(int cluster) {
    /// Mbarriers that count bytes; one more is for threads to meet at.
    static final int COUNTERS = 3;

    static final int MEETING = COUNTERS;

    /// The whole kernel.
    String around(CharSequence steps) {
        return head() + steps + tail();
    }

    private static void line(StringBuilder text, String instruction) {
        text.append("    ").append(instruction).append('\n');
    }

    private String head() {
        StringBuilder head =
                new StringBuilder(
                        """
                        .version 9.0
                        .target sm_90a
                        .address_size 64

                        .visible .entry hopper(.param .u64 in, .param .u64 out, .param .u64 sums,
                            .param .align 64 .b8 map0[128], .param .align 64 .b8 map1[128],
                            .param .align 64 .b8 map2[128], .param .align 64 .b8 map3[128])
                        .maxntid 128
                        {
                            .shared .align 1024 .b8 tiles[16384];
                            .shared .align 8 .b64 barriers[4];
                            .reg .b32 %tx, %cta, %rank, %t, %b, %rt, %rb, %h, %x, %y, %e, %a<4>;
                            .reg .b64 %in, %own, %out, %sums, %at, %map<4>, %da, %db;
                            .reg .b16 %all;
                            .reg .pred %one, %q, %scale;
                            .reg .b32 %s<16>, %w<8>;
                            .reg .f32 %f<16>;
                            mov.u32 %tx, %tid.x;
                            mov.u32 %cta, %ctaid.x;
                            mov.u32 %rank, %cluster_ctarank;
                            mov.u32 %t, tiles;
                            mov.u32 %b, barriers;
                            ld.param.u64 %in, [in];
                            ld.param.u64 %out, [out];
                            ld.param.u64 %sums, [sums];
                            cvta.to.global.u64 %in, %in;
                            cvta.to.global.u64 %out, %out;
                            cvta.to.global.u64 %sums, %sums;
                            setp.eq.u32 %one, %tx, 0;
                            mul.wide.u32 %own, %cta, 16384;
                            add.u64 %own, %in, %own;
                            mad.lo.u32 %x, %tx, 4, %t;
                            mul.wide.u32 %at, %tx, 4;
                            add.u64 %at, %own, %at;
                            mul.lo.u32 %h, %tx, 0x9e3779b9;
                        """);
        head.append("    mov.b16 %%all, %d;\n".formatted((1 << cluster) - 1));
        for (int i = 0; i < 4; i++) {
            head.append("    mov.b64 %%map%d, map%d;\n".formatted(i, i));
            head.append("    cvta.param.u64 %%map%d, %%map%d;\n".formatted(i, i));
            head.append("    ld.global.b32 %%a%d, [%%at+%d];\n".formatted(i, 512 * i));
        }
        for (int i = 0; i < REGIONS * REGION / (THREADS * Integer.BYTES); i++) {
            head.append("    ld.global.b32 %%y, [%%at+%d];\n".formatted(512 * i));
            head.append("    st.shared.b32 [%%x+%d], %%y;\n".formatted(512 * i));
        }
        for (int barrier = 0; barrier <= COUNTERS; barrier++) {
            head.append(
                    "    @%%one mbarrier.init.shared::cta.b64 [%%b+%d], %d;\n"
                            .formatted(8 * barrier, barrier == MEETING ? THREADS : 1));
        }
        for (int i = 0; i < 16; i++) {
            head.append(
                    "    mov.b32 %%s%d, %d;\n    mov.f32 %%f%d, 0f00000000;\n".formatted(i, i, i));
            head.append(i < 8 ? "    mov.b32 %%w%d, 0;\n".formatted(i) : "");
        }
        return head.append("    @%one fence.mbarrier_init.release.cluster;\n")
                .append("    fence.proxy.async;\n")
                .append("    barrier.cluster.arrive.release.aligned;\n")
                .append("    barrier.cluster.wait.acquire.aligned;\n")
                .toString();
    }

    /// Regions first, thread after thread the words of a row; then what each thread holds.
    private String tail() {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "mul.wide.u32 %%at, %%cta, %d;"
                        .formatted(REGIONS * REGION + 4 * THREADS * THREAD_WORDS));
        line(text, "add.u64 %out, %out, %at;");
        line(text, "mul.wide.u32 %at, %tx, 4;");
        line(text, "add.u64 %at, %out, %at;");
        line(text, "mad.lo.u32 %x, %tx, 4, %t;");
        for (int i = 0; i < REGIONS * REGION / (THREADS * Integer.BYTES); i++) {
            line(text, "ld.shared.b32 %%y, [%%x+%d];".formatted(512 * i));
            line(text, "st.global.b32 [%%at+%d], %%y;".formatted(512 * i));
        }
        List<String> held = new ArrayList<>(List.of("%h"));
        for (int i = 0; i < 16; i++) {
            held.add("%s" + i);
            held.add("%f" + i);
        }
        for (int i = 0; i < THREAD_WORDS - 33; i++) {
            held.add("%w" + i);
        }
        for (int i = 0; i < held.size(); i++) {
            line(
                    text,
                    "st.global.b32 [%%at+%d], %s;"
                            .formatted(REGIONS * REGION + 512 * i, held.get(i)));
        }
        line(text, "ret;");
        return text + "}\n";
    }
}
