package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.rule.Rule;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("values that nobody wrote, where they matter and where not")
final class DefinednessTest {
    /// `%r2`: a register that lanes 0 to 7 write; `%p2` and `%p4`: lanes 0 and 9; `%r7`: the first
    /// word of shared memory, which thread 0 writes, and no other; `%r8`: one.
    private static final String VALUES =
            """
            mov.u32 %r7, tile; setp.lt.u32 %p1, %r1, 8; setp.eq.u32 %p2, %r1, 0; mov.u32 %r8, 1;
            setp.eq.u32 %p4, %r1, 9;
            @%p1 mov.u32 %r2, %r1; @%p2 st.shared.u32 [%r7], %r8; bar.sync 0;
            """;

    private static final String PRODUCT =
            "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r3, %r4}, ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Triton's reductions: some lanes load, all exchange, some use.
                """
                @%p1 ld.shared.u32 %r3, [%r7]; shfl.sync.bfly.b32 %r4, %r3, 4, 0x1f, -1;
                add.u32 %r4, %r4, %r3; @%p1 st.global.u32 [%rd1], %r4;
                """,
                // A load ahead of what is there, never used.
                "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r7+16]; add.u32 %r3, %r3, %r4;",
                "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [%r7+128];",
                // Masks, shifts and halves that leave nothing of it.
                "and.b32 %r3, %r2, 0; st.global.u32 [%rd1], %r3;",
                "or.b32 %r3, %r2, -1; st.global.u32 [%rd1], %r3;",
                "xor.b32 %r3, %r2, %r2; st.global.u32 [%rd1], %r3;",
                """
                st.shared.u8 [%r7+8], %r8; bar.sync 0; ld.shared.u32 %r3, [%r7+8];
                and.b32 %r3, %r3, 255; st.global.u32 [%rd1], %r3;
                """,
                "mov.b64 %rd2, {%r8, %r2}; cvt.u32.u64 %r3, %rd2; st.global.u32 [%rd1], %r3;",
                // An exchange whose answer nobody uses.
                """
                @%p4 atom.shared.exch.b32 %r3, [%r7+16], %r8; bar.sync 0;
                ld.shared.u32 %r4, [%r7+16]; @%p2 st.global.u32 [%rd1], %r4;
                """,
                // A select that takes the other one.
                """
                selp.u32 %r3, %r2, %r8, %p1;
                cvt.u64.u32 %rd2, %r1; add.u64 %rd2, %rd2, %rd1; st.global.u8 [%rd2], %r3;
                """,
                // Shared memory: what nobody loads; bytes and bits that are defined; what is
                // written again; what lanes load that throw it away.
                "mad.lo.u32 %r3, %r1, 4, %r7; st.shared.u32 [%r3+16], %r2;",
                """
                @%p4 st.shared.v2.u32 [%r7+16], {%r8, %r2}; bar.sync 0;
                ld.shared.v2.u32 {%r3, %r4}, [%r7+16]; @%p2 st.global.u32 [%rd1], %r3;
                """,
                """
                and.b32 %r3, %r2, 0xf0; @%p4 st.shared.u32 [%r7+16], %r3; bar.sync 0;
                ld.shared.u8 %r4, [%r7+16]; and.b32 %r4, %r4, 0x0f;
                @%p2 st.global.u32 [%rd1], %r4; ld.shared.u16 %r5, [%r7+18];
                @%p2 st.global.u8 [%rd1], %r5;
                """,
                """
                @%p4 st.shared.u32 [%r7+16], %r2; bar.sync 0; @%p2 st.shared.u32 [%r7+16], %r8;
                @%p2 ld.shared.u32 %r3, [%r7+16]; @%p2 st.global.u32 [%rd1], %r3;
                """,
                """
                mad.lo.u32 %r3, %r1, 4, %r7; st.shared.u32 [%r3+16], %r2; bar.sync 0;
                ld.shared.u32 %r4, [%r3+16]; shfl.sync.up.b32 %r5, %r4, 1, 0, -1;
                @%p2 st.global.u32 [%rd1], %r5;
                """,
                """
                and.b32 %r4, %r1, 7; mad.lo.u32 %r3, %r4, 16, %r7;
                stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3+16], {%r2}; bar.sync 0;
                ld.shared.u32 %r5, [%r7+28]; @%p2 st.global.u32 [%rd1], %r5;
                """,
                // Counts and places of bits that the defined ones decide.
                "or.b32 %r3, %r2, 0x80000000; clz.b32 %r4, %r3; st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 7; popc.b32 %r4, %r3; shr.u32 %r4, %r4, 2;"
                        + " st.global.u32 [%rd1], %r4;",
                """
                or.b32 %r3, %r2, 0x08000000; and.b32 %r3, %r3, 0x0fffffff;
                bfind.s32 %r4, %r3; @%p2 st.global.u32 [%rd1], %r4; bfind.shiftamt.u32 %r4, %r3;
                brev.b32 %r3, %r3; clz.b32 %r4, %r3; min.u32 %r4, %r4, 0; st.global.u32 [%rd1], %r4;
                """,
                // The smaller, the larger: where one is so in any case.
                "or.b32 %r3, %r2, 8; min.u32 %r4, %r3, 5; st.global.u32 [%rd1], %r4;",
                "or.b32 %r3, %r2, 0x80000000; max.s32 %r4, %r3, 5; st.global.u32 [%rd1], %r4;",
                // Sums, products and quotients: bits below and above those that are not known.
                "mul.lo.u32 %r3, %r2, 0; st.global.u32 [%rd1], %r3;",
                "mul.lo.u32 %r3, %r2, 12; and.b32 %r3, %r3, 3; st.global.u32 [%rd1], %r3;",
                "and.b32 %r3, %r2, 15; add.u32 %r4, %r3, 16; shr.u32 %r4, %r4, 5;"
                        + " st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; div.u32 %r4, %r3, 16; st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; rem.s32 %r4, %r3, 4; shr.u32 %r4, %r4, 2;"
                        + " st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; mul.hi.u32 %r4, %r3, 9; st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; abs.s32 %r4, %r3; shr.u32 %r4, %r4, 4;"
                        + " st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; add.cc.u32 %r4, %r3, 1; addc.u32 %r4, %r8, 0;"
                        + " st.global.u32 [%rd1], %r4;",
                """
                and.b32 %r3, %r2, 0x80000000; or.b32 %r3, %r3, 0x3f800000; mov.b32 %f1, %r3;
                neg.f32 %f1, %f1; abs.f32 %f1, %f1; st.global.f32 [%rd1], %f1;
                """,
                // The other half of a pair.
                "mov.b32 {%h1, %h2}, %r8; mov.b32 %r3, {%h1, %h3}; add.f16x2 %r4, %r3, %r8;"
                        + " @%p2 st.global.u16 [%rd1], %r4;",
                "mov.b32 {%h1, %h2}, %r8; mov.b32 %r3, {%h3, %h1}; fma.rn.bf16x2 %r4, %r3, %r3,"
                        + " %r8; shr.u32 %r4, %r4, 16; @%p2 st.global.u16 [%rd1], %r4;",
                // A barrier whose result a defined predicate decides.
                """
                setp.lt.u32 %p3, %r2, 8; barrier.red.or.pred %p3, 0, %p3;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                setp.ge.u32 %p3, %r2, 8; barrier.red.and.pred %p3, 0, %p3;
                @!%p3 st.global.u32 [%rd1], %r8;
                """,
                // Keys of others: lanes 0 to 7 know which of them have theirs.
                """
                match.any.sync.b32 %r3, %r2, -1; and.b32 %r3, %r3, 0xff;
                @%p1 st.global.u32 [%rd1], %r8; @!%p1 mov.u32 %r3, 0;
                setp.eq.u32 %p3, %r3, 77; @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                match.all.sync.b32 %r3|%p3, %r2, -1; st.global.u32 [%rd1], %r3;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                // A shuffle whose lane, or clamp, only others do not know.
                "shfl.sync.idx.b32 %r3, %r8, %r2, 0x1f, -1; @%p1 st.global.u32 [%rd1], %r3;",
                "shfl.sync.bfly.b32 %r3, %r8, %r2, 0x1f, -1; @%p1 st.global.u32 [%rd1], %r3;",
                "shfl.sync.up.b32 %r3, %r8, 1, %r2, -1; @%p1 st.global.u32 [%rd1], %r3;",
                // Products of matrices: rows of A, columns of B and elements of C that are defined.
                PRODUCT + "{%r8, %r5}, {%r8}, {%r8, %r5}; st.global.u32 [%rd1], %r3;",
                PRODUCT + "{%r2, %r8}, {%r8}, {%r8, %r8}; @%p1 st.global.u32 [%rd1], %r3;",
                PRODUCT + "{%r8, %r8}, {%r2}, {%r8, %r8}; @%p2 st.global.u32 [%rd1], %r4;",
                PRODUCT + "{%r8, %r8}, {%r8}, {%r2, %r5}; @%p2 st.global.u32 [%rd1], %r3;",
                "and.b32 %r6, %r2, 0xffff;"
                        + PRODUCT
                        + "{%r8, %r8}, {%r8}, {%r6, %r8}; shr.u32 %r3, %r3, 16;"
                        + " st.global.u32 [%rd1], %r3;",
                // Votes and reductions that other lanes decide, or of whose bits some are taken.
                """
                setp.lt.u32 %p3, %r2, 3; vote.sync.ballot.b32 %r3, %p3, -1;
                and.b32 %r3, %r3, 0xff; st.global.u32 [%rd1], %r3;
                """,
                """
                setp.lt.u32 %p3, %r2, 3; vote.sync.any.pred %p3, %p3, -1;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                setp.lt.u32 %p3, %r2, 3; vote.sync.all.pred %p3, %p3, -1;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                "redux.sync.and.b32 %r3, %r2, -1; st.global.u32 [%rd1], %r3;",
                "redux.sync.or.b32 %r3, %r2, -1; and.b32 %r3, %r3, 7; st.global.u32 [%rd1], %r3;",
                // Comparisons that defined bits decide.
                """
                or.b32 %r3, %r2, 0x80000000; setp.lt.s32 %p3, %r3, 0;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                and.b32 %r3, %r2, 15; setp.ge.u32 %p3, %r3, 16; @%p3 st.global.u32 [%rd1], %r8;
                """,
                // Bytes of the lane's own memory, copied with what is between them.
                """
                mov.u64 %rd2, depot; st.local.u8 [%rd2], %r8; ld.local.u32 %r3, [%rd2];
                st.local.u32 [%rd2+4], %r3; ld.local.u8 %r4, [%rd2+4]; st.global.u8 [%rd1], %r4;
                """,
                // Padding behind a member, copied whole through global memory.
                "@%p4 st.global.v2.u32 [%rd1], {%r8, %r2};",
                "mov.b64 %rd2, {%r8, %r2}; @%p4 st.global.u64 [%rd1], %rd2;",
                """
                @%p4 st.global.v2.u32 [%rd1], {%r8, %r2}; bar.sync 0;
                @%p2 ld.global.v2.u32 {%r3, %r4}, [%rd1]; @%p2 st.global.v2.u32 [%rd1+8], {%r3, %r4};
                @%p2 ld.global.u32 %r5, [%rd1+8]; @%p2 st.global.u32 [%rd1], %r5;
                """,
                """
                @%p4 st.global.v2.u32 [%rd1], {%r8, %r2};
                @%p4 cp.async.ca.shared.global [%r7+16], [%rd1], 8; cp.async.wait_all; bar.sync 0;
                ld.shared.v2.u32 {%r3, %r4}, [%r7+16]; @%p2 st.global.v2.u32 [%rd1+8], {%r3, %r4};
                """,
                // What was not written is, by a later store.
                """
                @%p4 st.global.v2.u32 [%rd1], {%r8, %r2}; @%p4 st.global.u32 [%rd1+4], %r1; bar.sync 0;
                @%p2 ld.global.u32 %r3, [%rd1+4]; @%p2 st.global.u32 [%rd1+8], %r3;
                """
            })
    void isLetPassWhereItDecidesNothing(String body) {
        assertThat(TinyKernel.of(VALUES + body).run(32, new byte[64])).hasSize(64);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "add.u32 %r3, %r2, 1; st.global.u32 [%rd1], %r3;",
                "setp.eq.u32 %p3, %r2, 3; @%p3 bra END; END:",
                "cvt.u64.u32 %rd2, %r2; and.b64 %rd2, %rd2, 4; add.u64 %rd3, %rd1, %rd2;"
                        + " st.global.u32 [%rd3], %r8;",
                "setp.eq.u32 %p3, %r2, 3; @%p3 st.global.u32 [%rd1], %r8;",
                "shfl.sync.idx.b32 %r3, %r2, 9, 0x1f, -1; st.global.u32 [%rd1], %r3;",
                "clz.b32 %r4, %r2; @%p4 st.global.u32 [%rd1], %r4;",
                "or.b32 %r3, %r2, 0x40000000; clz.b32 %r4, %r3; @%p4 st.global.u32 [%rd1], %r4;",
                "bfind.s32 %r4, %r2; @%p4 st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; popc.b32 %r4, %r3; shr.u32 %r4, %r4, 2;"
                        + " @%p4 st.global.u32 [%rd1], %r4;",
                "min.u32 %r4, %r2, 5; @%p4 st.global.u32 [%rd1], %r4;",
                "max.s32 %r4, %r2, 5; @%p4 st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; add.u32 %r4, %r3, 1; shr.u32 %r4, %r4, 4;"
                        + " @%p4 st.global.u32 [%rd1], %r4;",
                "and.b32 %r3, %r2, 15; sub.u32 %r4, %r3, 1; shr.u32 %r4, %r4, 31;"
                        + " @%p4 st.global.u32 [%rd1], %r4;",
                "add.cc.u32 %r4, %r2, 1; addc.u32 %r4, %r8, 0; @%p4 st.global.u32 [%rd1], %r4;",
                """
                and.b32 %r3, %r2, 0x80000000; or.b32 %r3, %r3, 0x3f800000; mov.b32 %f1, %r3;
                neg.f32 %f1, %f1; @%p4 st.global.f32 [%rd1], %f1;
                """,
                "add.sat.s32 %r4, %r2, %r8; @%p4 st.global.u32 [%rd1], %r4;",
                "mov.b32 {%h1, %h2}, %r8; mov.b32 %r3, {%h3, %h1}; add.f16x2 %r4, %r3, %r8;"
                        + " @%p4 st.global.u16 [%rd1], %r4;",
                """
                setp.gt.u32 %p3, %r2, 7; barrier.red.or.pred %p3, 0, %p3;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                setp.lt.u32 %p3, %r2, 8; barrier.red.popc.u32 %r3, 0, %p3;
                @%p4 st.global.u32 [%rd1], %r3;
                """,
                "match.any.sync.b32 %r3, %r2, -1; @%p2 st.global.u32 [%rd1], %r3;",
                """
                selp.u32 %r3, 0, %r2, %p1; match.all.sync.b32 %r3|%p3, %r3, -1;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                // The lane and the clamp of a shuffle: the lane's own value, and whether it is in
                // range.
                "shfl.sync.idx.b32 %r3, %r8, %r2, 0x1f, -1; @%p4 st.global.u32 [%rd1], %r3;",
                "shfl.sync.bfly.b32 %r3, %r8, 1, %r2, -1; @%p4 st.global.u32 [%rd1], %r3;",
                """
                shfl.sync.up.b32 %r3|%p3, %r8, %r2, 0, -1; and.pred %p3, %p3, %p4;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                "and.b32 %r3, %r2, 2; st.global.u32 [%rd1], %r3;",
                """
                setp.lt.u32 %p3, %r2, 3; vote.sync.ballot.b32 %r3, %p3, -1;
                and.b32 %r3, %r3, 0x100; st.global.u32 [%rd1], %r3;
                """,
                """
                setp.gt.u32 %p3, %r2, 9; vote.sync.any.pred %p3, %p3, -1;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                """
                setp.lt.u32 %p3, %r2, 9; vote.sync.all.pred %p3, %p3, -1;
                @%p3 st.global.u32 [%rd1], %r8;
                """,
                "redux.sync.or.b32 %r3, %r2, -1; and.b32 %r3, %r3, 15; st.global.u32 [%rd1], %r3;",
                "redux.sync.xor.b32 %r3, %r2, -1; st.global.u32 [%rd1], %r3;",
                """
                and.b32 %r3, %r2, 15; setp.ge.u32 %p3, %r3, 15; @%p3 st.global.u32 [%rd1], %r8;
                """,
                "setp.lt.s32 %p3, %r2, 0; @%p3 st.global.u32 [%rd1], %r8;",
                // Products of matrices: the others of A, B and C.
                PRODUCT + "{%r8, %r5}, {%r8}, {%r8, %r8}; st.global.u32 [%rd1], %r4;",
                PRODUCT + "{%r2, %r8}, {%r8}, {%r8, %r8}; @%p4 st.global.u32 [%rd1], %r3;",
                PRODUCT + "{%r8, %r8}, {%r2}, {%r8, %r8}; @%p4 st.global.u32 [%rd1], %r4;",
                PRODUCT + "{%r8, %r8}, {%r8}, {%r2, %r8}; @%p4 st.global.u32 [%rd1], %r3;",
                // Stored to shared memory, loaded by others: the same bits are undefined there.
                """
                mad.lo.u32 %r3, %r1, 4, %r7; st.shared.u32 [%r3+16], %r2; bar.sync 0;
                ld.shared.u32 %r4, [%r7+116]; @%p2 st.global.u32 [%rd1], %r4;
                """,
                """
                @%p4 st.shared.v2.u32 [%r7+16], {%r8, %r2}; bar.sync 0;
                @%p2 ld.shared.u8 %r3, [%r7+22]; @%p2 st.global.u8 [%rd1], %r3;
                """,
                """
                mov.b32 {%h1, %h2}, %r2; mov.b16 %h3, 7; mov.b32 %r3, {%h3, %h2};
                @%p4 st.shared.u32 [%r7+16], %r3; bar.sync 0;
                @%p2 ld.shared.s16 %r4, [%r7+18]; shr.u32 %r4, %r4, 31;
                @%p2 st.global.u32 [%rd1], %r4;
                """,
                """
                cvt.u64.u32 %rd3, %r7; cvta.shared.u64 %rd2, %rd3; @%p4 st.u32 [%rd2+16], %r2;
                @%p4 ld.shared.u32 %r3, [%r7+16]; @%p4 st.global.u32 [%rd1], %r3;
                """,
                "@%p4 atom.shared.exch.b32 %r3, [%r7+16], %r8; @%p4 st.global.u32 [%rd1], %r3;",
                "@%p4 atom.shared.add.u32 %r3, [%r7+16], 1;",
                "@%p4 st.shared.u32 [%r7+16], %r2; @%p4 atom.shared.add.u32 %r3, [%r7+16], 1;",
                """
                and.b32 %r4, %r1, 7; mad.lo.u32 %r3, %r4, 16, %r7;
                setp.gt.u32 %p5, %r1, 23; @%p5 st.shared.u32 [%r3+16], %r2;
                @%p1 st.shared.v2.u32 [%r3+24], {%r8, %r8}; @%p1 st.shared.u32 [%r3+20], %r8;
                bar.sync 0; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r3+16];
                @%p2 st.global.u32 [%rd1], %r5;
                """,
                """
                and.b32 %r4, %r1, 7; mad.lo.u32 %r3, %r4, 16, %r7;
                stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3+16], {%r2}; bar.sync 0;
                ld.shared.u32 %r5, [%r7+52]; @%p2 st.global.u32 [%rd1], %r5;
                """,
                "red.global.add.u32 [%rd1], %r2;",
                // Not padding: what comes first, or was computed.
                "@%p4 st.global.v2.u32 [%rd1], {%r2, %r8};",
                "add.u32 %r3, %r2, 1; @%p4 st.global.v2.u32 [%rd1], {%r8, %r3};",
                "shl.b32 %r3, %r2, 8; @%p4 st.global.u32 [%rd1], %r3;",
                PRODUCT
                        + "{%r2, %r8}, {%r8}, {%r8, %r8};"
                        + " @%p4 st.global.v2.u32 [%rd1], {%r8, %r3};",
                // Padding that decides something.
                """
                @%p4 st.global.v2.u32 [%rd1], {%r8, %r2}; @%p4 ld.global.u32 %r3, [%rd1+4];
                @%p4 st.global.u32 [%rd1+8], %r3;
                """,
                "@%p4 st.global.v2.u32 [%rd1], {%r8, %r2}; @%p4 red.global.add.u32 [%rd1+4], 1;",
                """
                @%p4 st.global.v2.u32 [%rd1], {%r8, %r2};
                @%p4 cp.async.ca.shared.global [%r7+16], [%rd1], 8; cp.async.wait_all; bar.sync 0;
                ld.shared.u32 %r3, [%r7+20]; @%p2 st.global.u32 [%rd1+8], %r3;
                """,
                "mov.u64 %rd2, depot; st.local.u32 [%rd2], %r2; ld.local.u32 %r3, [%rd2];"
                        + " st.global.u32 [%rd1], %r3;"
            })
    void isToldWhereItDecides(String body) {
        Finding finding = TinyKernel.of(VALUES + body).finding(32, 64);
        assertThat(finding.rule()).isIn(Rule.UNINITIALIZED_REGISTER, Rule.UNINITIALIZED_READ);
    }

    /// Gives what it was given, where that is less than eight.
    private static final String FUNCTION =
            """
            .func (RESULT) small(.param .b32 given) {
            .reg .b32 %r<2>; .reg .pred %p;
            ld.param.u32 %r1, [given]; setp.lt.u32 %p, %r1, 8;
            @%p st.param.b32 [result], %r1;
            ret;
            }
            """;

    private static final String CALL =
            """
            { .param .b32 given; RESULT; st.param.b32 [given], %r1; call (result), small, (given);
            ld.param.b32 %r3, [result]; }
            """;

    /// Thread 8 stores the result.
    private static final String STORE = "setp.eq.u32 %p1, %r1, 8; @%p1 st.global.u32 [%rd1], %r3;";

    private static TinyKernel calling(String result, String body) {
        return TinyKernel.of(
                FUNCTION.replace("RESULT", result), CALL.replace("RESULT", result) + body);
    }

    @Test
    void theResultOfACallIsToldWhereItDecides() {
        TinyKernel kernel = calling(".param .b32 result", STORE);
        Finding finding = kernel.finding(32, 64);
        assertThat(finding.rule()).isEqualTo(Rule.UNINITIALIZED_READ);
        assertThat(finding.where()).asString().contains("thread (8,0,0)");
    }

    @Test
    void theResultOfACallIsLetPassWhereNobodyUsesIt() {
        String body =
                """
                setp.lt.u32 %p1, %r1, 8; cvt.u64.u32 %rd2, %r1; add.u64 %rd2, %rd2, %rd1;
                @%p1 st.global.u8 [%rd2], %r3;
                """;
        TinyKernel kernel = calling(".param .b32 result", body);
        assertThat(kernel.run(32, new byte[64])).startsWith(0, 1, 2, 3, 4, 5, 6, 7, 0);
    }

    /// Compilers pass structures whole, padding included.
    @Test
    void aStructureIsNotLookedAt() {
        TinyKernel kernel = calling(".param .align 4 .b8 result[4]", STORE);
        assertThat(kernel.run(9, new byte[64])).hasSize(64);
    }
}
