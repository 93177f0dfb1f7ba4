package dev.heddle.isa;

import java.util.List;

/// The syntax lines of the model, one block an instruction, as PTX ISA 9.1 has them.
///
/// Behind each line is what the *PTX ISA notes* and *target ISA notes* of its section require,
/// checked with ptxas 13.0: `[7.0 sm_80]` is PTX ISA 7.0 and sm_80 or higher, `=sm_90a` that target
/// alone, `sm_120+` the `a` and `f` targets of the family from sm_120 on.
final class Manual {
    private Manual() {}

    /// PTX ISA 9.7.14.5.14.
    static final String MMA =
            """
            mma.sync.aligned.m8n8k4.alayout.blayout.dtype.f16.f16.ctype  d, a, b, c;  [6.4 sm_70]
            mma.sync.aligned.m16n8k8.row.col.dtype.f16.f16.ctype         d, a, b, c;  [6.5 sm_75]
            mma.sync.aligned.m16n8k16.row.col.dtype.f16.f16.ctype        d, a, b, c;  [7.0 sm_80]
            .alayout = {.row, .col};
            .blayout = {.row, .col};
            .ctype   = {.f16, .f32};
            .dtype   = {.f16, .f32};

            mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32       d, a, b, c;  [7.0 sm_80]
            mma.sync.aligned.m16n8k8.row.col.f32.atype.btype.f32     d, a, b, c;  [7.0 sm_80]
            mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32      d, a, b, c;  [7.0 sm_80]
            mma.sync.aligned.m16n8k32.row.col.f32.f8type.f8type.f32  d, a, b, c;  [8.4 sm_89]
            mma.sync.aligned.m16n8k32.row.col.f16.f8type.f8type.f16  d, a, b, c;  [8.7 sm_89]
            mma.sync.aligned.m16n8k16.row.col.dtype.f8type.f8type.ctype  d, a, b, c;  [8.7 sm_89]
            mma.sync.aligned.m16n8k32.row.col.kind.dtype.f8f6f4type.f8f6f4type.ctype  d, a, b, c;  [8.7 sm_120+]
            .atype      = {.bf16, .tf32};
            .btype      = {.bf16, .tf32};
            .f8type     = {.e4m3, .e5m2};
            .f8f6f4type = {.e4m3, .e5m2, .e3m2, .e2m3, .e2m1};
            .ctype      = {.f16, .f32};
            .dtype      = {.f16, .f32};
            .kind       = {.kind::f8f6f4};

            mma.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.stype  d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 sm_120+]
            .kind           = {.kind::mxf4};
            .scale_vec_size = {.scale_vec::2X};
            .stype          = {.ue8m0};

            mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0  d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 sm_120+]
            mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3  d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 sm_120+]
            mma.sync.aligned.m16n8k64.row.col.kind.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0  d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [9.1 sm_120+]
            .kind = {.kind::mxf4nvf4};

            mma.sync.aligned.m16n8k32.row.col.kind.block_scale{.scale_vec_size}.f32.f8f6f4type.f8f6f4type.f32.stype  d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 sm_120+]
            .kind           = {.kind::mxf8f6f4};
            .scale_vec_size = {.scale_vec::1X};
            .f8f6f4type     = {.e4m3, .e5m2, .e3m2, .e2m3, .e2m1};
            .stype          = {.ue8m0};

            mma.sync.aligned.m8n8k4.row.col{.rounding}.f64.f64.f64.f64  d, a, b, c;  [7.0 sm_80]
            mma.sync.aligned.shape.row.col{.rounding}.f64.f64.f64.f64   d, a, b, c;  [7.8 sm_90]
            .shape    = {.m16n8k4, .m16n8k8, .m16n8k16};
            .rounding = {.rn, .rz, .rm, .rp};

            mma.sync.aligned.m8n8k16.row.col{.satfinite}.s32.atype.btype.s32  d, a, b, c;  [6.5 sm_75]
            mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32    d, a, b, c;  [7.0 sm_80]
            .shape = {.m16n8k16, .m16n8k32};
            .atype = {.u8, .s8};
            .btype = {.u8, .s8};

            mma.sync.aligned.m8n8k32.row.col{.satfinite}.s32.atype.btype.s32  d, a, b, c;  [6.5 sm_75]
            mma.sync.aligned.shape.row.col{.satfinite}.s32.atype.btype.s32    d, a, b, c;  [7.0 sm_80]
            .shape = {.m16n8k32, .m16n8k64};
            .atype = {.u4, .s4};
            .btype = {.u4, .s4};

            mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc  d, a, b, c;  [7.0 sm_75]
            mma.sync.aligned.shape.row.col.s32.b1.b1.s32.xor.popc     d, a, b, c;  [7.0 sm_80]
            mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc  d, a, b, c;  [7.1 sm_80]
            mma.sync.aligned.shape.row.col.s32.b1.b1.s32.and.popc     d, a, b, c;  [7.1 sm_80]
            .shape = {.m16n8k128, .m16n8k256};
            """;

    /// `.f16` accumulators without `.kind` are in the notes of the section, not in its syntax.
    ///
    /// PTX ISA 9.7.14.6.3.
    static final String MMA_SP =
            """
            mma.spvariant.sync.aligned.m16n8k16.row.col.dtype.f16.f16.ctype  d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k32.row.col.dtype.f16.f16.ctype  d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32    d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32    d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32     d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32    d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.m16n8k64.row.col.f32.f8type.f8type.f32  d, a, b, c, e, f;  [8.4 sm_89]
            mma.spvariant.sync.aligned.shape8.row.col{.satfinite}.s32.type8.type8.s32  d, a, b, c, e, f;  [7.1 sm_80]
            mma.spvariant.sync.aligned.shape4.row.col{.satfinite}.s32.type4.type4.s32  d, a, b, c, e, f;  [7.1 sm_80]
            .ctype     = {.f16, .f32};
            .dtype     = {.f16, .f32};
            .f8type    = {.e4m3, .e5m2};
            .shape8    = {.m16n8k32, .m16n8k64};
            .type8     = {.u8, .s8};
            .shape4    = {.m16n8k64, .m16n8k128};
            .type4     = {.u4, .s4};
            .spvariant = {.sp, .sp::ordered_metadata};

            mma.spvariant.sync.aligned.m16n8k64.row.col.f16.f8type.f8type.f16  d, a, b, c, e, f;  [8.7 sm_120+]
            mma.spvariant.sync.aligned.m16n8k64.row.col.kind.dtype.f8f6f4type.f8f6f4type.ctype  d, a, b, c, e, f;  [8.7 sm_120+]
            .f8type     = {.e4m3, .e5m2};
            .f8f6f4type = {.e4m3, .e5m2, .e3m2, .e2m3, .e2m1};
            .kind       = {.kind::f8f6f4};
            .ctype      = {.f16, .f32};
            .dtype      = {.f16, .f32};
            .spvariant  = {.sp::ordered_metadata};

            mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale{.scale_vec_size}.f32.e2m1.e2m1.f32.stype  d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 =sm_120a,sm_121a]
            .spvariant      = {.sp::ordered_metadata};
            .kind           = {.kind::mxf4};
            .scale_vec_size = {.scale_vec::2X};
            .stype          = {.ue8m0};

            mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0  d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 =sm_120a,sm_121a]
            mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3  d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 =sm_120a,sm_121a]
            mma.spvariant.sync.aligned.m16n8k128.row.col.kind.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue8m0  d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [9.1 =sm_120a,sm_121a]
            .spvariant = {.sp::ordered_metadata};
            .kind      = {.kind::mxf4nvf4};

            mma.spvariant.sync.aligned.m16n8k64.row.col.kind.block_scale{.scale_vec_size}.f32.f8f6f4type.f8f6f4type.f32.stype  d, a, b, c, e, f, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b};  [8.7 sm_120+]
            .spvariant      = {.sp::ordered_metadata};
            .kind           = {.kind::mxf8f6f4};
            .scale_vec_size = {.scale_vec::1X};
            .f8f6f4type     = {.e4m3, .e5m2, .e3m2, .e2m3, .e2m1};
            .stype          = {.ue8m0};
            """;

    /// The manual's list of integer shapes ends at n224; its table 9.7.15.2 and the assembler have
    /// 240 and 256 as well.
    ///
    /// PTX ISA 9.7.15.5.2.
    static final String WGMMA =
            """
            wgmma.mma_async.sync.aligned.shape.dtype.f16.f16  d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.dtype.f16.f16  d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.f32.bf16.bf16  d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.f32.bf16.bf16  d, a, b-desc, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;  [8.0 =sm_90a]
            .shape = {.m64nNk16};
            .dtype = {.f16, .f32};
            N = {8, 16 .. 256}

            wgmma.mma_async.sync.aligned.shape.f32.tf32.tf32  d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.f32.tf32.tf32  d, a, b-desc, scale-d, imm-scale-a, imm-scale-b;  [8.0 =sm_90a]
            .shape = {.m64nNk8};
            N = {8, 16 .. 256}

            wgmma.mma_async.sync.aligned.shape.dtype.atype.btype  d, a-desc, b-desc, scale-d, imm-scale-a, imm-scale-b;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.dtype.atype.btype  d, a, b-desc, scale-d, imm-scale-a, imm-scale-b;  [8.0 =sm_90a]
            .shape = {.m64nNk32};
            .atype = {.e4m3, .e5m2};
            .btype = {.e4m3, .e5m2};
            .dtype = {.f16, .f32};
            N = {8, 16 .. 256}

            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.s8.s8  d, a-desc, b-desc, scale-d;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.s8.s8  d, a, b-desc, scale-d;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.u8.u8  d, a-desc, b-desc, scale-d;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.u8.u8  d, a, b-desc, scale-d;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.s8.u8  d, a-desc, b-desc, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.s8.u8  d, a, b-desc, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.u8.s8  d, a-desc, b-desc, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sync.aligned.shape{.satfinite}.s32.u8.s8  d, a, b-desc, scale-d;  [8.4 =sm_90a]
            .shape = {.m64nNk32};
            N = {8, 16, 24, 32, 48 .. 256}

            wgmma.mma_async.sync.aligned.shape.s32.b1.b1.op.popc  d, a-desc, b-desc, scale-d;  [8.0 =sm_90a]
            wgmma.mma_async.sync.aligned.shape.s32.b1.b1.op.popc  d, a, b-desc, scale-d;  [8.0 =sm_90a]
            .shape = {.m64nNk256};
            .op    = {.and};
            N = {8, 16, 24, 32, 48 .. 256}
            """;

    /// PTX ISA 9.7.15.6.3.
    static final String WGMMA_SP =
            """
            wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16  d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape.dtype.f16.f16  d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape.f32.bf16.bf16  d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape.f32.bf16.bf16  d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b, imm-trans-b;  [8.2 =sm_90a]
            .shape = {.m64nNk32};
            .dtype = {.f16, .f32};
            N = {8, 16 .. 256}

            wgmma.mma_async.sp.sync.aligned.shape.f32.tf32.tf32  d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape.f32.tf32.tf32  d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;  [8.2 =sm_90a]
            .shape = {.m64nNk16};
            N = {8, 16 .. 256}

            wgmma.mma_async.sp.sync.aligned.shape.dtype.atype.btype  d, a-desc, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape.dtype.atype.btype  d, a, b-desc, sp-meta, sp-sel, scale-d, imm-scale-a, imm-scale-b;  [8.2 =sm_90a]
            .shape = {.m64nNk64};
            .atype = {.e4m3, .e5m2};
            .btype = {.e4m3, .e5m2};
            .dtype = {.f16, .f32};
            N = {8, 16 .. 256}

            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.s8.s8  d, a-desc, b-desc, sp-meta, sp-sel, scale-d;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.s8.s8  d, a, b-desc, sp-meta, sp-sel, scale-d;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.u8.u8  d, a-desc, b-desc, sp-meta, sp-sel, scale-d;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.u8.u8  d, a, b-desc, sp-meta, sp-sel, scale-d;  [8.2 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.s8.u8  d, a-desc, b-desc, sp-meta, sp-sel, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.s8.u8  d, a, b-desc, sp-meta, sp-sel, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.u8.s8  d, a-desc, b-desc, sp-meta, sp-sel, scale-d;  [8.4 =sm_90a]
            wgmma.mma_async.sp.sync.aligned.shape{.satfinite}.s32.u8.s8  d, a, b-desc, sp-meta, sp-sel, scale-d;  [8.4 =sm_90a]
            .shape = {.m64nNk64};
            N = {8, 16, 24, 32, 48 .. 256}
            """;

    /// The lines of a family.
    static List<Syntax> syntaxes(Family family) {
        return switch (family) {
            case MMA -> Lines.Dense.LINES;
            case MMA_SP -> Lines.Sparse.PLAIN;
            case MMA_SP_ORDERED -> Lines.Sparse.ORDERED;
            case WGMMA -> Lines.Warpgroup.LINES;
            case WGMMA_SP -> Lines.SparseWarpgroup.LINES;
        };
    }

    /// Holders, so that a question about one family reads only its lines.
    private static final class Lines {
        private static final class Dense {
            static final List<Syntax> LINES = Syntax.read(Family.MMA.section(), MMA);
        }

        private static final class Sparse {
            static final List<Syntax> ALL = Syntax.read(Family.MMA_SP.section(), MMA_SP);
            static final List<Syntax> PLAIN = of(Family.MMA_SP);
            static final List<Syntax> ORDERED = of(Family.MMA_SP_ORDERED);

            static List<Syntax> of(Family family) {
                return ALL.stream().filter(syntax -> syntax.family() == family).toList();
            }
        }

        private static final class Warpgroup {
            static final List<Syntax> LINES = Syntax.read(Family.WGMMA.section(), WGMMA);
        }

        private static final class SparseWarpgroup {
            static final List<Syntax> LINES = Syntax.read(Family.WGMMA_SP.section(), WGMMA_SP);
        }
    }
}
