package dev.heddle.vm.compiler;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Products, rows of matrices and asynchronous copies in a kernel's machine code beside the
/// interpreter, bit by bit, with checks and without.
@DisplayName("Machine code multiplies and moves matrices as the interpreter does")
final class MatrixMachineCodeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                        + " {%f30,%f31,%f32,%f33}, {%r10,%r11,%r12,%r13}, {%r14,%r15},"
                        + " {%f10,%f11,%f12,%f13};",
                // Registers apart, twice the same, constants.
                "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
                        + " {%f33,%f31,%f32,%f30}, {%r10,%r21,%r12,%r10}, {%r24,%r15},"
                        + " {0f3f800000,%f11,%f11,%f10};",
                "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
                        + " {%f30,%f31,%f32,%f33}, {%r10,%r11,%r12,%r13}, {%r14,%r15},"
                        + " {%f10,%f11,%f12,%f13};",
                "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r11,%r12,%r13}, {%r14,%r15},"
                        + " {%r18,%r19,%r20,%r21};",
                "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.s8.s32"
                        + " {%r30,%r31}, {%r10}, {%r14}, {%r18,%r19};",
                "mma.sync.aligned.m16n8k16.row.col.s32.s8.u8.s32"
                        + " {%r33,%r31,%r32,%r30}, {%r10,%r21}, {%r15}, {%r18,7,%r20,%r18};",
                "mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32"
                        + " {%r30,%r31}, {%r10}, {%r14}, {%r18,%r19};",
                "mma.sync.aligned.m16n8k64.row.col.satfinite.s32.s4.s4.s32"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r11,%r12,%r13}, {%r14,%r15},"
                        + " {%r18,%r19,%r20,%r21};",
                "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r11,%r12,%r13}, {%r14,%r15},"
                        + " {%r18,%r19,%r20,%r21};",
                "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc"
                        + " {%r30,%r31}, {%r10}, {%r14}, {%r18,%r19};",
                "mov.u32 %r50, 0xe4e4e4e4;"
                        + "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r11,%r12,%r13}, {%r14,%r15,%r16,%r17},"
                        + " {%r18,%r19,%r20,%r21}, %r50, 0x0;",
                "mov.u32 %r50, 0x4e4e4e4e; mma.sp.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r21}, {%r14,%r15},"
                        + " {%r18,%r19,%r20,%r21}, %r50, 0x1;",
                // Metadata that the manual does not define.
                "mov.u32 %r50, 0xe4e0e4e4; mma.sp.sync.aligned.m16n8k64.row.col.s32.u4.s4.s32"
                        + " {%r30,%r31,%r32,%r33}, {%r10,%r21}, {%r14,%r15},"
                        + " {%r18,%r19,%r20,%r21}, %r50, 0x0;",
                "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
                        + " {%r30,%r31}, {%r10,%r11,%r12,%r13}, {%r14,%r15}, {%r18,%r19};",
                "mov.u32 %r50, 0xe4e4e4e4;"
                        + "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
                        + " {%f30,%f31,%f32,%f33}, {%r10,%r11,%r12,%r13}, {%r14,%r15,%r16,%r17},"
                        + " {%f10,%f11,%f12,%f13}, %r50, 0x1;",
                "mov.u32 %r50, 0x4e4e4e4e; mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                        + " {%f30,%f31,%f32,%f33}, {%r10,%r21}, {%r14,%r15},"
                        + " {%f10,%f11,%f12,%f13}, %r50, 0x2;",
                // Metadata that the manual does not define.
                "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"
                        + " {%f30,%f31,%f32,%f33}, {%r10,%r11,%r12,%r13}, {%r14,%r15,%r16,%r17},"
                        + " {%f10,%f11,%f12,%f13}, %r18, 0x0;",
            })
    void products(String product) {
        String take =
                """
                mov.b32 %r30, %f30;
                mov.b32 %r31, %f31;
                mov.b32 %r32, %f32;
                mov.b32 %r33, %f33;
                """;
        String zero =
                "mov.f32 %f30, 0f00000000; mov.f32 %f31, %f30; mov.f32 %f32, %f30;"
                        + " mov.f32 %f33, %f30;";
        MatrixKernel.agree(zero + product + (product.contains("f32.") ? take : ""));
    }

    /// Factors of powers of two come in sizes that machine code takes, and others.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e5m2.f32.ue8m0"
                    + " D, {%r10,%r11,%r12,%r13}, {%r14,%r15}, C, {%r16}, {1,1}, {%r17}, {3,2};",
                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0"
                    + " D, {%r10,%r21,%r12,%r13}, {%r14,%r15}, C, {%r16}, {2,1}, {%r50}, {0,3};",
                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
                        + ".f32.e2m1.e2m1.f32.ue4m3"
                        + " D, {%r10,%r11,%r12,%r13}, {%r14,%r15}, C, {%r20}, {0,1}, {%r25},"
                        + " {0,2};",
                "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale"
                        + ".scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 D, {%r10,%r11,%r12,%r13},"
                        + " {%r14,%r15,%r16,%r17}, C, %r51, 0x0, {%r50}, {0,0}, {%r50}, {1,3};",
                "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale"
                        + ".scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 D, {%r10,%r11,%r12,%r13},"
                        + " {%r14,%r15,%r16,%r17}, C, %r52, 0x0, {%r20}, {0,0}, {%r21}, {0,1};",
                // Selectors in registers.
                "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
                        + ".f32.e2m1.e2m1.f32.ue4m3"
                        + " D, {%r10,%r11,%r12,%r13}, {%r14,%r15}, C, {%r20}, {%rs1,%rs1}, {%r16},"
                        + " {0,2};",
            })
    void scaledProducts(String product) {
        String registers = "{%f10,%f11,%f12,%f13}";
        MatrixKernel.agree(
                "mov.u32 %r50, 0x7e817f80; mov.u32 %r51, 0xe4e4e4e4; mov.u32 %r52, 0x4e4e4e4e;"
                        + " mov.u16 %rs1, 0;"
                        + product.replace(" D,", " " + registers + ",")
                                .replace(" C,", " " + registers + ",")
                        + "mov.b32 %r30, %f10; mov.b32 %r31, %f11;"
                        + " mov.b32 %r32, %f12; mov.b32 %r33, %f13;");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    @DisplayName("a chain of products whose D is their C, of one warp and of two")
    void accumulates(int rounds) {
        String product =
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f10,%f11,%f12,%f13},"
                        + " {%r10,%r11,%r12,%r13}, {%r14,%r15}, {%f10,%f11,%f12,%f13};\n"
                        + "add.u32 %r10, %r10, 1;\n";
        String take =
                "mov.b32 %r30, %f10; mov.b32 %r31, %f11; mov.b32 %r32, %f12; mov.b32 %r33, %f13;\n";
        MatrixKernel.agree(product.repeat(rounds) + take);
        MatrixKernel.agree("@!%p2 bra E;\n" + product.repeat(rounds) + take + "E:\n");
        MatrixKernel.agree(
                "mov.u32 %r50, 0;\nL:\n"
                        + product
                        + "add.u32 %r50, %r50, 1; setp.lt.u32 %p4, %r50, "
                        + rounds
                        + "; @%p4 bra L;\n"
                        + take);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x1.shared.b16 {%r30}, [%r4]",
                "x2.shared.b16 {%r30,%r33}, [%r4+16]",
                "x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r4+32]",
                "x4.shared.b16 {%r30,%r31,%r4,%r33}, [%r4]",
                "x1.trans.shared.b16 {%r30}, [%r4]",
                "x2.trans.shared.b16 {%r31,%r30}, [%r4]",
                "x4.trans.shared.b16 {%r30,%r31,%r32,%r33}, [%r4+2048]",
                // Not aligned, and out of bounds in some lanes.
                "x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r4+8]",
                "x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r4+7680]",
            })
    void rows(String load) {
        MatrixKernel.agree("ldmatrix.sync.aligned.m8n8." + load + ";");
        MatrixKernel.agree("@!%p2 bra E; ldmatrix.sync.aligned.m8n8." + load + "; E:");
    }

    /// Before each, `%r50` is a stride of 24 elements, and `%r51` one that is not the same in all
    /// lanes, `%rd7` an address that is not.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "load.a.sync.aligned.row.m16n16k16.shared.f16"
                        + " {%r30,%r31,%r32,%r33,%r10,%r11,%r12,%r13}, [%r3], %r50",
                "load.a.sync.aligned.col.m16n16k16.global.f16"
                        + " {%r30,%r31,%r32,%r33,%r10,%r11,%r12,%r13}, [%rd1+64], %r50",
                "load.b.sync.aligned.row.m32n8k16.global.u8 {%r30}, [%rd1+32], 16",
                "load.b.sync.aligned.col.m16n16k16.shared.s8 {%r30,%r31}, [%r3+16], 32",
                "load.c.sync.aligned.row.m16n16k16.global.f32"
                        + " {%r30,%r31,%r32,%r33,%r10,%r11,%r12,%r13}, [%rd1], %r50",
                "load.c.sync.aligned.col.m16n16k16.shared.s32"
                        + " {%r30,%r31,%r32,%r33,%r10,%r11,%r12,%r13}, [%r3], %r50",
                "load.a.sync.aligned.row.m8n8k32.shared.s4 {%r30}, [%r3], 64",
                "load.a.sync.aligned.row.m8n8k4.global.f64 {%rd8}, [%rd1], 4; mov.b64"
                        + " {%r30,%r31}, %rd8",
                // The registers of an address and of a stride among the targets.
                "load.c.sync.aligned.row.m8n8k32.shared.s32 {%r3,%r50}, [%r3], %r50;"
                        + " mov.u32 %r30, %r3; mov.u32 %r31, %r50",
                "store.d.sync.aligned.row.m8n8k32.shared.s32 [%r49], {%r10,%r11}, %r50",
                "store.d.sync.aligned.row.m16n16k16.shared.f16 [%r49], {%r10,%r11,%r12,%r13}, 16",
                "store.d.sync.aligned.col.m16n16k16.shared.f16 [%r49], {%r10,%r11,%r12,%r13}, %r50",
                "store.d.sync.aligned.row.m8n8k32.global.s32 [%rd9], {%r10,%r11}, 8",
                // Two warps into one place.
                "store.d.sync.aligned.row.m8n8k32.global.s32 [%rd2], {%r10,%r11}, 8",
                // Not aligned, out of bounds, and not the same in all lanes.
                "load.c.sync.aligned.row.m8n8k32.shared.s32 {%r30,%r31}, [%r3+4], %r50",
                "load.c.sync.aligned.row.m8n8k32.shared.s32 {%r30,%r31}, [%r3], 9",
                "load.c.sync.aligned.row.m8n8k32.shared.s32 {%r30,%r31}, [%r3+8064], 8",
                "load.c.sync.aligned.row.m8n8k32.global.s32 {%r30,%r31}, [%rd1+8184], 8",
                "load.c.sync.aligned.row.m8n8k32.global.s32 {%r30,%r31}, [%rd7], 8",
                "load.c.sync.aligned.row.m8n8k32.global.s32 {%r30,%r31}, [%rd1], %r51",
                "load.c.sync.aligned.row.m8n8k32.shared.s32 {%r30,%r31}, [%r52], 8",
            })
    void tiles(String access) {
        String places =
                "mov.u32 %r50, 24; shl.b32 %r51, %r2, 3; mov.u64 %rd7, %rd1;"
                        + "@!%p1 add.u64 %rd7, %rd7, 64; shr.u32 %r49, %r1, 5;"
                        + "mad.lo.u32 %r49, %r49, 4096, %r3; mad.lo.u32 %r52, %r2, 64, %r3;"
                        + "add.u64 %rd9, %rd2, %rd6; cvt.u64.u32 %rd10, %r1;"
                        + "and.b64 %rd10, %rd10, 32; shl.b64 %rd10, %rd10, 6;"
                        + "add.u64 %rd9, %rd9, %rd10;";
        String tile = "wmma." + access + ";";
        MatrixKernel.agree(places + "bar.sync 0;" + tile);
        MatrixKernel.agree(places + "@!%p2 bra E; " + tile + " E:");
        MatrixKernel.agree(places + "@%p2 " + tile);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cp.async.ca.shared.global [%r5], [%rd4], 4;",
                "cp.async.ca.shared.global [%r5+4], [%rd4+8], 8;",
                "cp.async.cg.shared.global [%r5], [%rd4+32], 16;",
                "@%p1 cp.async.cg.shared.global [%r5], [%rd4+32], 16;",
                "@%p2 cp.async.cg.shared.global [%r5], [%rd4+32], 16;",
                "@%p3 cp.async.cg.shared.global [%r5], [%rd4+32], 16;",
                "mov.u32 %r50, 16; cp.async.cg.shared.global [%r5], [%rd4+32], 16, %r50;",
                "and.b32 %r50, %r2, 15; cp.async.cg.shared.global [%r5], [%rd4+32], 16, %r50;",
                "cp.async.cg.shared.global [%r5], [%rd4+32], 16, 4;",
                // Behind the end of a buffer, of all memory, and not aligned.
                "cp.async.cg.shared.global [%r5], [%rd4+4080], 16;",
                "cp.async.cg.shared.global [%r5], [%rd4+1048576], 16;",
                "cp.async.cg.shared.global [%r5], [%rd4+8], 16;",
                "cp.async.cg.shared.global [%r5+7168], [%rd4], 16;",
                // Two lanes into one place, two warps, and one thread twice.
                "and.b32 %r50, %r1, 62; mad.lo.u32 %r50, %r50, 64, %r3;"
                        + " cp.async.cg.shared.global [%r50], [%rd4], 16;",
                "xor.b32 %r50, %r1, 31; min.u32 %r50, %r50, %r1; mad.lo.u32 %r50, %r50, 64, %r3;"
                        + " cp.async.ca.shared.global [%r50], [%rd4], 8;",
                "mad.lo.u32 %r50, %r2, 64, %r3; cp.async.cg.shared.global [%r50], [%rd4], 16;",
                "cp.async.cg.shared.global [%r5], [%rd4], 16;"
                        + " cp.async.ca.shared.global [%r5+8], [%rd4+16], 8;",
                // From what is stored meanwhile, and into bytes that were stored one by one.
                "st.global.u32 [%rd4], %r1; cp.async.cg.shared.global [%r5], [%rd4], 16;",
                "st.shared.u8 [%r5+3], %r1; cp.async.cg.shared.global [%r5], [%rd4], 16;",
            })
    void copies(String copy) {
        MatrixKernel.agree(
                copy
                        + """
                        cp.async.commit_group;
                        cp.async.wait_group 0;
                        bar.sync 0;
                        ld.shared.v4.b32 {%r30, %r31, %r32, %r33}, [%r5];
                        """);
    }

    /// Lane 31 leaves out 16 bytes behind lane 30.
    private static final String LAST_BEHIND_GAP =
            "add.u32 %r51, %r2, 1; and.b32 %r51, %r51, 32; shr.u32 %r51, %r51, 5;"
                    + " add.u32 %r51, %r51, %r2; mad.lo.u32 %r51, %r51, 16, %r3; ";

    /// By then copies go by machine code with checks, too: what they read, several CTAs have read.
    /// One warp is the only one that does anything else than all the others. Because of `ldmatrix`
    /// warps run by themselves.
    @ParameterizedTest
    @ValueSource(
            strings = {
                // Into rows that the other warp reads, be it first or last, or stores, or copies.
                "add.u32 %r51, %r5, 2048; COPY LOAD",
                "bar.sync 0; add.u32 %r51, %r5, 2048; COPY LOAD",
                "add.u32 %r51, %r5, 2048; COPY ld.shared.u32 %r30, [%r5];",
                "add.u32 %r51, %r5, 2048; @!%p2 st.shared.u32 [%r5], %r1; COPY",
                "add.u32 %r51, %r5, 6144; COPY",
                // Into rows that another lane reads, into one place twice, not aligned.
                "xor.b32 %r51, %r1, 1; mad.lo.u32 %r51, %r51, 64, %r3; LOAD COPY",
                "and.b32 %r51, %r1, 62; mad.lo.u32 %r51, %r51, 16, %r3; add.u32 %r51, %r51, 4096;"
                        + " COPY",
                "add.u32 %r51, %r5, 8; COPY",
                "add.u32 %r51, %r5, 7168; COPY",
                // In order: where all wait and meet, and read by rows and by words.
                "mov.u32 %r51, %r5; COPY cp.async.wait_all; bar.sync 0; LOAD",
                "mov.u32 %r51, %r5; COPY cp.async.wait_all; bar.sync 0; LOAD bar.sync 0; COPY"
                        + " cp.async.wait_all; bar.sync 0; ld.shared.u32 %r30, [%r5]; LOAD",
                "mov.u32 %r51, %r5; COPY cp.async.commit_group; add.u32 %r50, %r50, 16;"
                        + " COPY cp.async.wait_all; bar.sync 0; LOAD",
                // Not waited for, by all or by some; read by others without a barrier.
                "mov.u32 %r51, %r5; COPY LOAD",
                "mov.u32 %r51, %r5; COPY @%p1 cp.async.wait_all; bar.sync 0; LOAD",
                "mov.u32 %r51, %r5; COPY cp.async.wait_all; LOAD",
                "mov.u32 %r51, %r5; COPY cp.async.wait_all; ld.shared.u32 %r30, [%r4];",
                // A block, filled in another order: in order, read by others, read too early; two
                // lanes in one place of it, and a lane behind a gap.
                "xor.b32 %r51, %r2, 21; mad.lo.u32 %r51, %r51, 16, %r3; COPY cp.async.wait_all;"
                        + " bar.sync 0; LOAD",
                "xor.b32 %r51, %r2, 21; mad.lo.u32 %r51, %r51, 16, %r3; add.u32 %r51, %r51, 2048;"
                        + " COPY LOAD",
                "xor.b32 %r51, %r2, 10; mad.lo.u32 %r51, %r51, 16, %r3; COPY LOAD",
                "min.u32 %r51, %r2, 30; mad.lo.u32 %r51, %r51, 16, %r3; COPY cp.async.wait_all;",
                LAST_BEHIND_GAP + "COPY cp.async.wait_all; bar.sync 0; LOAD",
                // Read before the wait: what that lane copies, which is a finding; the gap, not.
                LAST_BEHIND_GAP + "COPY @%p2 ld.shared.u32 %r30, [%r3+512];",
                LAST_BEHIND_GAP + "COPY @%p2 ld.shared.u32 %r30, [%r3+496];",
            })
    @DisplayName("what copies of a third CTA do is in order, or a race, as by the interpreter")
    void copiesOfThirdCta(String order) {
        String where =
                """
                LOAD
                bar.sync 0;
                mov.u32 %r52, %ctaid.x;
                setp.eq.u32 %p5, %r52, 2;
                and.pred %p5, %p5, %p2;
                add.u32 %r50, %r5, 4096;
                """;
        String load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r5];";
        MatrixKernel.agree(
                (where + order.replaceFirst("COPY", "selp.b32 %r50, %r51, %r50, %p5; COPY"))
                                .replace("COPY", "cp.async.cg.shared.global [%r50], [%rd4+32], 16;")
                                .replace("LOAD", load)
                        + "cp.async.wait_all;\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 40})
    @DisplayName("many copies, of which some are waited for")
    void manyCopies(int count) {
        String copy =
                "cp.async.cg.shared.global [%r51], [%rd4+16], 16; add.u32 %r51, %r51, 16;"
                        + " and.b32 %r51, %r51, 8176;\n";
        String groups = "add.u32 %r51, %r5, 4096;\n" + copy.repeat(count);
        String read =
                """
                bar.sync 0;
                ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30,%r31,%r32,%r33}, [%r4];
                """;
        MatrixKernel.agree(groups + "cp.async.commit_group; cp.async.wait_group 0;\n" + read);
        MatrixKernel.agree(
                "cp.async.ca.shared.global [%r5], [%rd4], 4; cp.async.commit_group;\n"
                        + groups
                        + "cp.async.commit_group; cp.async.wait_group 1;\n"
                        + read
                        + "cp.async.wait_all;\n"
                        + read);
        MatrixKernel.agree(groups + "@%p1 cp.async.commit_group; cp.async.wait_group 0;\n" + read);
        MatrixKernel.agree(groups + "cp.async.commit_group; @%p2 cp.async.wait_all;\n" + read);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // In order.
                "LOAD bar.sync 0; STORE",
                "COPY cp.async.wait_all; bar.sync 0; LOAD",
                "COPY cp.async.wait_all; bar.sync 0; LOAD bar.sync 0; COPY cp.async.wait_all;"
                        + " bar.sync 0; LOAD LOAD bar.sync 0; STORE",
                // Stored while others may still read, or before.
                "LOAD STORE",
                "LOAD LOAD COPY",
                "STORE LOAD",
                "bar.sync 0; STORE bar.warp.sync -1; LOAD",
                // Not waited for, by oneself or by others.
                "COPY LOAD",
                "COPY bar.sync 0; LOAD",
                "COPY cp.async.wait_all; LOAD",
                "LOAD bar.sync 0; COPY cp.async.wait_all; LOAD",
                // One stage is copied while the one before is read.
                "COPY cp.async.commit_group; OTHER cp.async.commit_group; cp.async.wait_group 1;"
                        + " bar.sync 0; LOAD cp.async.wait_group 0; bar.sync 0; LOAD",
                "COPY cp.async.commit_group; OTHER cp.async.commit_group; cp.async.wait_group 1;"
                        + " bar.sync 0; LOAD FAR",
                // What is read far from there does not matter.
                "COPY cp.async.wait_all; bar.sync 0; LOAD OTHER cp.async.wait_all; bar.sync 0; FAR",
                "COPY cp.async.wait_all; bar.sync 0; COPY cp.async.wait_all; bar.sync 0; LOAD",
                "COPY cp.async.wait_all; COPY cp.async.wait_all; bar.sync 0; LOAD COPY",
                "OTHER cp.async.wait_all; bar.sync 0; FAR COPY cp.async.wait_all; bar.sync 0; LOAD",
                "OTHER cp.async.wait_all; bar.sync 0; FAR COPY OTHER",
            })
    @DisplayName("races of rows with stores and copies are found as by the interpreter")
    void races(String order) {
        String[] rows = {"%r30,%r31,%r32,%r33}, [%r4]", "%r30,%r31,%r32,%r33}, [%r5]"};
        for (String each : rows) {
            String load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {" + each + "; ";
            MatrixKernel.agree(
                    order.replace("LOAD", load)
                            .replace("FAR", load.replace("]", "+4096]"))
                            .replace("STORE", "st.shared.u32 [%r5], %r1;")
                            .replace("OTHER", "cp.async.cg.shared.global [%r5+4096], [%rd4], 16;")
                            .replace("COPY", "cp.async.cg.shared.global [%r5], [%rd4], 16;"));
        }
    }
}
