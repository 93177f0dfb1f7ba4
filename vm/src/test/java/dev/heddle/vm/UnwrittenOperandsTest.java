package dev.heddle.vm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.isa.MatrixDescriptor;
import dev.heddle.isa.SharedMatrix;
import dev.heddle.isa.SharedMatrix.Major;
import dev.heddle.isa.SwizzleMode;
import dev.heddle.isa.rule.Rule;
import dev.heddle.isa.rule.RuleGroup;
import dev.heddle.vm.ir.Extent;
import dev.heddle.vm.report.Finding;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

/// One element of A or B in shared memory is never written. It makes a row or a column of D
/// undefined, and nothing else, whichever way the matrix is laid out.
@DisplayName("PTX ISA 9.7.15: elements of wgmma's matrices that nobody wrote")
final class UnwrittenOperandsTest {
    private static final int START_OF_B = 8192;
    private static final int N = 64;

    /// The matrix with the hole, where the other one has no swizzle and is K-major.
    ///
    /// @param matrix `A`, `B`, or `SPARSE` for a sparse A
    @ParameterizedTest
    @CsvSource({
        "A, K, NONE, 0, 0",
        "A, K, NONE, 37, 11",
        "A, K, BYTES_32, 63, 15",
        "A, K, BYTES_64, 18, 9",
        "A, K, BYTES_128, 41, 3",
        "A, MN, NONE, 22, 14",
        "A, MN, BYTES_128, 61, 7",
        "B, K, NONE, 5, 2",
        "B, K, BYTES_32, 60, 8",
        "B, K, BYTES_64, 33, 15",
        "B, K, BYTES_128, 17, 0",
        "B, MN, NONE, 9, 10",
        "B, MN, BYTES_128, 58, 13",
        "SPARSE, K, NONE, 50, 12",
        "SPARSE, K, BYTES_128, 3, 6"
    })
    void makeTheirRowOrColumnUndefined(
            String matrix, Major major, SwizzleMode mode, int line, int k) {
        boolean isB = matrix.equals("B");
        MatrixDescriptor descriptor = descriptor(isB ? START_OF_B : 0, major, mode);
        long hole = new SharedMatrix(descriptor, major, 16).bitAddress(line, k) / 16;
        String product = product(matrix, descriptor.encode(), major);
        for (Machine machine : List.of(Machine.interpreter(), Machine.compiler())) {
            assertThat(findings(machine, kernel(product, hole, isB, "ne", line))).isEmpty();
            assertThat(findings(machine, kernel(product, hole, isB, "eq", line)))
                    .extracting(Finding::rule)
                    .containsExactly(Rule.UNINITIALIZED_READ);
        }
    }

    private static MatrixDescriptor descriptor(int start, Major major, SwizzleMode mode) {
        boolean isPlain = mode == SwizzleMode.NONE;
        int stride = isPlain ? major == Major.K ? 256 : 128 : 8 * mode.rowBytes();
        int leading = isPlain ? major == Major.K ? 128 : 1024 : 0;
        return new MatrixDescriptor(start, leading, stride, 0, mode);
    }

    private static String product(String matrix, long holed, Major major) {
        boolean isB = matrix.equals("B");
        boolean isSparse = matrix.equals("SPARSE");
        int stride = isSparse ? 512 : 256;
        long other =
                new MatrixDescriptor(isB ? 0 : START_OF_B, 128, stride, 0, SwizzleMode.NONE)
                        .encode();
        StringBuilder d = new StringBuilder();
        for (int i = 0; i < N / 2; i++) {
            d.append(i == 0 ? "" : ", ").append("%d").append(i);
        }
        int isMn = major == Major.MN ? 1 : 0;
        return """
        mov.b64 %%rd2, %d; mov.b64 %%rd3, %d;
        wgmma.mma_async%s.sync.aligned.m64n64k%d.f32.f16.f16 {%s}, %%rd2, %%rd3,%s
            %%p1, 1, 1, %d, %d;
        """
                .formatted(
                        isB ? other : holed,
                        isB ? holed : other,
                        isSparse ? ".sp" : "",
                        isSparse ? 32 : 16,
                        d,
                        isSparse ? " %r9, 0," : "",
                        isB ? 0 : isMn,
                        isB ? isMn : 0);
    }

    /// All of shared memory is written but two bytes, and the elements of D are stored whose row or
    /// column compares so with that of the hole.
    private static String kernel(
            String product, long hole, boolean isColumn, String comparison, int line) {
        StringBuilder stores = new StringBuilder();
        for (int i = 0; i < N / 2; i++) {
            stores.append(
                    """
                    add.u32 %%r6, %%r%d, %d; setp.%s.u32 %%p2, %%r6, %d;
                    @%%p2 st.global.f32 [%%rd1+%d], %%d%d;
                    """
                            .formatted(
                                    isColumn ? 5 : 4,
                                    isColumn ? 8 * (i / 4) + i % 2 : 8 * (i % 4 / 2),
                                    comparison,
                                    line,
                                    4 * i,
                                    i));
        }
        return """
        .version 8.3
        .target sm_90a
        .address_size 64
        .visible .entry k(.param .u64 out) {
        .reg .b64 %%rd<5>; .reg .b32 %%r<12>; .reg .f32 %%d<32>; .reg .pred %%p<5>;
        .reg .b16 %%h<3>;
        .shared .align 1024 .b8 tile[16384];
        ld.param.u64 %%rd1, [out]; mov.u32 %%r1, %%tid.x;
        mad.wide.u32 %%rd1, %%r1, 128, %%rd1;
        mov.u32 %%r2, %%r1; mov.b16 %%h1, 0x3c00; mov.u32 %%r9, 0x44444444;
        FILL:
        mov.u32 %%r3, tile; mad.lo.u32 %%r3, %%r2, 2, %%r3;
        setp.ne.u32 %%p3, %%r2, %d; @%%p3 st.shared.u16 [%%r3], %%h1;
        add.u32 %%r2, %%r2, 128; setp.lt.u32 %%p3, %%r2, 8192; @%%p3 bra FILL;
        fence.proxy.async; bar.sync 0;
        setp.ne.u32 %%p1, %%r1, %%r1;
        wgmma.fence.sync.aligned;
        %s
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        shr.u32 %%r4, %%r1, 5; and.b32 %%r5, %%r1, 31; shr.u32 %%r5, %%r5, 2;
        mad.lo.u32 %%r4, %%r4, 16, %%r5; and.b32 %%r5, %%r1, 3; shl.b32 %%r5, %%r5, 1;
        %s
        ret;
        }
        """
                .formatted(hole, product, stores);
    }

    private static List<Finding> findings(Machine machine, String kernel) {
        return machine.run(
                        Kernel.of(kernel, "k.ptx", "k"),
                        Launch.of(
                                        new Extent(1, 1, 1),
                                        new Extent(128, 1, 1),
                                        Argument.zeros("out", 128 * 128))
                                .withChecks(RuleGroup.CHECKS))
                .findings();
    }
}
