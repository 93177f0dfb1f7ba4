package dev.heddle.ptx.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.util.List;

/// Where the assembler is kinder or stricter than the manual reads, this is too. The verdicts are
/// those of ptxas 13.0, which a second test asks again where it is on the path.
@DisplayName("Modules as the assembler takes them")
final class AssemblerVerdictsTest {

    /// A line: verdict, version, target, what ptxas assembles it for, a part of the module.
    static final List<String> LINES =
            """
            accept 8.6 sm_101a sm_110a @mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},{%r5,%r6},{%f1,%f2,%f3,%f4};
            accept 8.8 sm_101f sm_110f @add.s32 %r1, %r2, %r3;
            reject 8.5 sm_101a sm_110a @add.s32 %r1, %r2, %r3;
            accept 2.0 sm_21 sm_75 @add.s32 %r1, %r2, %r3;
            reject 1.4 sm_21 sm_75 @add.s32 %r1, %r2, %r3;
            accept 8.3 sm_90 sm_90 @ld.global.b16 {%h1}, [%rd1+0];
            accept 8.3 sm_90 sm_90 @ld.volatile.global.u32 {%r1}, [%rd1];
            accept 8.3 sm_90 sm_90 @ld.global.nc.u32 {%r1}, [%rd1];
            accept 8.3 sm_90 sm_90 @ldu.global.u32 {%r1}, [%rd1];
            accept 8.6 sm_90 sm_90 @cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];
            reject 8.6 sm_90 sm_90 @cp.async.bulk.global.shared::cta.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];
            reject 8.0 sm_80 sm_80 @cp.async.ca.global.shared [%r1], [%rd1], 16;
            accept 8.3 sm_90 sm_90 @st.global.b32 [%rd1], {%r1};
            accept 8.3 sm_90 sm_90 @st.global.b32 [%rd1], {1};
            accept 8.3 sm_90 sm_90 @mov.b32 {%r1}, %r2;
            reject 8.3 sm_90 sm_90 @mov.f32 {%f1}, %f2;
            reject 8.3 sm_90 sm_90 @mov.b32 {%r1}, {%r2};
            reject 8.3 sm_90 sm_90 @ld.global.b32 {_}, [%rd1];
            reject 8.3 sm_90 sm_90 @ld.global.v2.u32 {%r1}, [%rd1];
            reject 8.3 sm_90 sm_90 @add.s32 {%r1}, %r2, %r3;
            reject 8.3 sm_90 sm_90 @atom.global.add.u32 {%r1}, [%rd1], %r2;
            reject 8.3 sm_90 sm_90 @red.global.add.u32 [%rd1], {%r2};
            accept 1.4 sm_13 sm_75 @mad.f32 %f1, %f2, %f3, %f4;
            accept 8.0 sm_13 sm_75 @mad.sat.f32 %f1, %f2, %f3, %f4;
            reject 1.4 sm_13 sm_75 @mad.rn.f32 %f1, %f2, %f3, %f4;
            accept 3.1 sm_20 sm_75 @mad.f32 %f1, %f2, %f3, %f4;
            reject 3.2 sm_20 sm_75 @mad.f32 %f1, %f2, %f3, %f4;
            accept 8.0 sm_90 sm_90 @mad.rn.f32 %f1, %f2, %f3, %f4;
            reject 8.0 sm_90 sm_90 @mad.f32 %f1, %f2, %f3, %f4;
            reject 1.4 sm_13 sm_75 @mad.f64 %d1, %d2, %d3, %d4;
            accept 2.3 sm_20 sm_75 #.local .u32 L;
            accept 1.4 sm_13 sm_75 #.local .align 4 .b8 L[16];
            reject 3.0 sm_20 sm_75 #.local .u32 L;
            reject 8.0 sm_80 sm_80 #.global .samplerref s;
            accept 9.0 sm_80 sm_80 @P: .callprototype ()_ (.param .b32 x) .abi_preserve 4;
            reject 8.0 sm_80 sm_80 @P: .callprototype ()_ (.param .b32 x) .abi_preserve 4;
            reject 8.0 sm_80 sm_80 @vmad.s32.s32.s32 %r0, -%r1, %r2, -%r3;
            accept 8.0 sm_80 sm_80 @vmad.s32.s32.s32 %r0, -%r1, -%r2, %r3;
            accept 8.0 sm_80 sm_80 @vmad.s32.s32.s32 %r0, -%r1, -%r2, -%r3;
            accept 8.0 sm_80 sm_80 @vmad.s32.s32.s32 %r0, %r1, %r2, -%r3;
            reject 8.0 sm_90 sm_90 @dp2a.hi.s32.u32 %r0, %f1, %r2, %r3;
            reject 8.0 sm_90 sm_90 @dp4a.u32.u32 %r0, %r1, %f2, %r3;
            accept 8.0 sm_90 sm_90 @dp2a.lo.u32.s32 %r0, %r1, %r2, %r3;
            accept 8.0 sm_90 sm_90 @membar.proxy.alias;
            reject 8.0 sm_90 sm_90 @membar.proxy.async;
            reject 8.0 sm_90 sm_90 @membar.proxy.async.global;
            accept 8.0 sm_90 sm_90 @fence.proxy.async.global;
            accept 8.0 sm_90 sm_90 @suld.b.2d.b32.trap %r0, [%rd1, {%r2, %r3}];
            accept 8.0 sm_90 sm_90 @suld.b.2d.b32.trap {%r0}, [%rd1, {%r2, %r3}];
            accept 8.0 sm_90 sm_90 @suld.b.1d.b32.trap %r0, [%rd1, %r2];
            accept 8.0 sm_90 sm_90 @suld.b.1d.b8.trap %h0, [%rd1, {%r2}];
            accept 8.0 sm_90 sm_90 @suld.b.2d.b32.trap %f0, [%rd1, {%r2, %r3}];
            accept 8.0 sm_90 sm_90 @suld.b.2d.b32.trap %r0, [%rd1, {%r2, %r3, %r2, %r2}];
            reject 8.0 sm_90 sm_90 @suld.b.a1d.v2.b32 {%r0, %r1}, [%rd1, {%r2, %r3}];
            reject 8.0 sm_90 sm_90 @suld.b.3d.b32.trap %r0, [%rd1, {%r2, %r3, %r4}];
            reject 8.0 sm_90 sm_90 @suld.b.2d.b32.trap %r0, [%rd1, {%f2, %f3}];
            accept 8.0 sm_90 sm_90 @sust.b.2d.v4.b32.zero [%rd1, {%r2, %r3}], {%f0, %f1, %r2, 5};
            accept 8.0 sm_90 sm_90 @sust.b.2d.b32.zero [%rd1, {%r2, 3}], %r1;
            accept 8.0 sm_90 sm_90 @sust.p.a2d.b32.zero [%rd1, {%r2, %r3, %r1, %r1}], %r1;
            accept 8.0 sm_90 sm_90 @sured.b.add.2d.u32.trap [%rd1, {%r2, %r3}], %r1;
            reject 8.0 sm_90 sm_90 @sured.b.and.2d.u32.trap [%rd1, {%r2, %r3}], %r1;
            reject 8.0 sm_90 sm_90 @sured.p.min.1d.u32.trap [%rd1, {%r2}], %r1;
            reject 8.0 sm_90 sm_90 @sured.p.min.1d.b64.trap [%rd1, {%r2}], %rd1;
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}];
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5, %f5, %f5}];
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%r0, %r1, %f2, %f3}, [%rd1, {%f4, %f5}];
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%f0, _, _, %f3}, [%rd1, {%f4, %f5}];
            accept 8.0 sm_90 sm_90 @tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, %f4];
            accept 8.0 sm_90 sm_90 @tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4}];
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%rd1, {%f4, %f5}];
            accept 8.0 sm_90 sm_90 @tex.2d.v2.f16x2.f32 {%r0, %r1}, [%rd1, {%f4, %f5}];
            accept 8.0 sm_90 sm_90 @tex.level.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4, %r5}], %r6;
            accept 8.0 sm_90 sm_90 @tex.grad.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}], {%f6, %f7}, {%f6, %f7};
            accept 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}], %f6;
            accept 8.0 sm_90 sm_90 @tex.2dms.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4, %r5, %r5, %r5}];
            accept 8.0 sm_90 sm_90 @tld4.r.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5, %f5, %f5}];
            reject 8.0 sm_90 sm_90 @tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, %rd1, {%f4, %f5};
            reject 8.0 sm_90 sm_90 @tex.2d.v4.u32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}];
            reject 8.0 sm_90 sm_90 @tex.2d.v2.f16.f32 {%h0, %h1}, [%rd1, {%f4, %f5}];
            reject 8.0 sm_90 sm_90 @tex.2d.level.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd1, {%f4, %f5}], %f6;
            reject 8.0 sm_90 sm_90 @tex.level.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4, %r5}], %f6;
            reject 8.0 sm_90 sm_90 @tex.cube.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {%r4, %r5, %r5, %r5}];
            accept 8.0 sm_90 sm_90 @txq.level.width.b32 %r1, [%rd1], %r2;
            accept 8.0 sm_90 sm_90 @suq.memory_layout.b32 %r1, [%rd1];
            reject 8.0 sm_90 sm_90 @txq.width.u32 %r1, [%rd1];
            reject 8.0 sm_90 sm_90 @txq.width.b32 %r1, [%rd1+0];
            reject 8.0 sm_90 sm_90 @suq.width.b32 %r1, [%rd1+0];
            reject 8.0 sm_90 sm_90 @tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1+0, {%r4}];
            reject 8.0 sm_90 sm_90 @suld.b.1d.b32.trap %r1, [%rd1+8, {%r4}];
            reject 8.0 sm_90 sm_90 @cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1+0, {%r4}];
            accept 8.0 sm_90 sm_90 @cp.async.bulk.prefetch.tensor.1d.L2.global.tile [%rd1, {%r4}];
            reject 8.0 sm_90 sm_90 @{ .reg .u32 %u; ld.v2.b32 {%u, %f1}, [%rd1]; }
            accept 8.0 sm_90 sm_90 @{ .reg .u32 %u; ld.v4.b32 {%u, %r1, %f1, %f2}, [%rd1]; }
            accept 8.0 sm_90 sm_90 @{ .reg .u32 %u; .reg .s32 %s; ld.v4.f32 {%u, %s, %u, %r1}, [%rd1]; }
            reject 8.0 sm_90 sm_90 @{ .reg .u32 %u; ld.v4.f32 {%u, _, %f1, %r1}, [%rd1]; }
            reject 8.0 sm_90 sm_90 @{ .reg .u32 %u; mov.b64 {%u, %f1}, %rd1; }
            reject 8.0 sm_90 sm_90 @{ .reg .f16 %g; .reg .u16 %u; mov.b32 %r1, {%g, %u}; }
            accept 8.0 sm_90 sm_90 @{ .reg .u16 %u; mov.b32 %r1, {%h1, %u}; }
            reject 8.6 sm_100 sm_100 @st.async.mbarrier::complete_tx::bytes.v4.b64 [%rd6], {%rd0, %rd1, %rd2, %rd3}, [%rd5];
            accept 8.8 sm_100 sm_100 @st.v4.b64 [%rd6], {%rd0, %rd1, %rd2, %rd3};
            reject 8.8 sm_100 sm_100 @ldu.v4.u64 {%rd0, %rd1, %rd2, %rd3}, [%rd6];
            accept 8.0 sm_90 sm_90 @cvt.rn.ftz.f32.f64 %rd1, %d1;
            reject 8.3 sm_90 sm_90 @{ .reg .b128 %q; cvt.rn.ftz.f32.f64 %q, %d1; }
            reject 8.3 sm_90 sm_90 @{ .reg .b128 %q; cvt.rn.ftz.f32.f64 %f1, %q; }
            accept 8.0 sm_90 sm_90 @{ .reg .u16 %u; set.ne.bf16.b32 %u, %r1, %r2; }
            reject 8.0 sm_90 sm_90 @{ .reg .f16 %g; set.ne.bf16.b32 %g, %r1, %r2; }
            accept 8.0 sm_90 sm_90 @set.lt.bf16x2.bf16x2 %f1, %r1, %r2;
            accept 8.0 sm_90 sm_90 @{ .reg .f16x2 %g; min.s16x2 %g, %g, %r2; }
            accept 8.0 sm_90 sm_90 @{ .reg .f16x2 %g; dp4a.u32.s32 %r1, %g, %g, %r2; }
            accept 8.0 sm_90 sm_90 @shfl.sync.idx.b32 %r1, %r2, %f1, 0f00000000, %r3;
            reject 8.0 sm_90 sm_90 @shfl.sync.idx.b32 %r1, %r2, %r3, 31, %f1;
            accept 8.6 sm_100a sm_100a @multimem.st.e5m2x4 [%rd1], %f1;
            reject 8.6 sm_100a sm_100a @multimem.red.add.bf16x2 [%rd1], %f1;
            accept 8.6 sm_100a sm_100a @cvt.rz.ue8m0x2.bf16x2 %h1, %f1;
            accept 7.4 sm_80 sm_80 @prefetch.L2::evict_last [%rd1];
            reject 7.4 sm_80 sm_80 @prefetch.local.L2::evict_last [%rd1];
            accept 7.8 sm_80 sm_80 @{ .reg .u32 %u; wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%u,%r1,%f2,%f3,%f4,%f5,%f6,%f7}, {%u,%r1,%r2,%r3}, {%r0,%r1,%r2,%f3}, {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}; }
            """
                    .lines()
                    .toList();

    private static String module(String line) {
        String[] words = line.split(" ", 5);
        boolean outside = words[4].charAt(0) == '#';
        String part = words[4].substring(1);
        return """
        .version %s
        .target %s
        %s.visible .entry k(.param .u64 out) {
        .reg .b64 %%rd<9>; .reg .b32 %%r<9>; .reg .f32 %%f<9>; .reg .b16 %%h<9>; .reg .f64 %%d<9>;
        %s
        ret;
        }
        """
                .formatted(
                        words[1],
                        words[2],
                        words[1].compareTo("2.3") < 0
                                ? (outside ? part + "\n" : "")
                                : ".address_size 64\n" + (outside ? part + "\n" : ""),
                        outside ? "" : part);
    }

    private static boolean accepted(String line) {
        return line.startsWith("accept");
    }

    @ParameterizedTest
    @FieldSource("LINES")
    void theCheckerSaysTheSame(String line) {
        CheckReport report = Check.text(module(line), "module.ptx");
        assertThat(report.verdict() != CheckReport.Verdict.REJECT)
                .as(report.text())
                .isEqualTo(accepted(line));
    }

    @ParameterizedTest
    @FieldSource("LINES")
    void theAssemblerStillSaysSo(String line) throws IOException, InterruptedException {
        assumeTrue(Assembler.isPresent(), "needs ptxas on the path");
        assertThat(Assembler.assemble(module(line), line.split(" ", 5)[3]).accepted())
                .isEqualTo(accepted(line));
    }
}
