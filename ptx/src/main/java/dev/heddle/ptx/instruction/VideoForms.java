package dev.heddle.ptx.instruction;

/// Scalar and SIMD video instructions (PTX ISA 9.7.18).
final class VideoForms {

    static final String TEXT =
            """
            9.7.18.1.1 VIDEO
            vadd.dtype.atype.btype{.sat}  d/part:.dtype, a/part:.atype, b/part:.btype, c:.dtype?;  [2.0 sm_20]
            vadd.dtype.atype.btype{.sat}.op2  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            vsub.dtype.atype.btype{.sat}  d/part:.dtype, a/part:.atype, b/part:.btype, c:.dtype?;  [2.0 sm_20]
            vsub.dtype.atype.btype{.sat}.op2  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            vabsdiff.dtype.atype.btype{.sat}  d/part:.dtype, a/part:.atype, b/part:.btype, c:.dtype?;  [2.0 sm_20]
            vabsdiff.dtype.atype.btype{.sat}.op2  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            vmin.dtype.atype.btype{.sat}  d/part:.dtype, a/part:.atype, b/part:.btype, c:.dtype?;  [2.0 sm_20]
            vmin.dtype.atype.btype{.sat}.op2  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            vmax.dtype.atype.btype{.sat}  d/part:.dtype, a/part:.atype, b/part:.btype, c:.dtype?;  [2.0 sm_20]
            vmax.dtype.atype.btype{.sat}.op2  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            .dtype = {.u32, .s32};
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            .op2 = {.add, .min, .max};
            9.7.18.1.2 VIDEO_SHIFT
            vshl.dtype.atype.u32{.sat}.mode  d/part:.dtype, a/part:.atype, b!/part:u32, c:.dtype?;  [2.0 sm_20]
            vshl.dtype.atype.u32{.sat}.mode.op2  d:.dtype, a/part:.atype, b!/part:u32, c:.dtype;  [2.0 sm_20]
            vshr.dtype.atype.u32{.sat}.mode  d/part:.dtype, a/part:.atype, b!/part:u32, c:.dtype?;  [2.0 sm_20]
            vshr.dtype.atype.u32{.sat}.mode.op2  d:.dtype, a/part:.atype, b!/part:u32, c:.dtype;  [2.0 sm_20]
            .dtype = {.u32, .s32};
            .atype = {.u32, .s32};
            .mode = {.clamp, .wrap};
            .op2 = {.add, .min, .max};
            9.7.18.1.3 VIDEO_MULTIPLY_ADD
            vmad.dtype.atype.btype{.sat}{.scale}  d:.dtype, -a/part:.atype, -b/part:.btype, -c:.dtype;  [2.0 sm_20]
            vmad.dtype.atype.btype.po{.sat}{.scale}  d:.dtype, a/part:.atype, b/part:.btype, c:.dtype;  [2.0 sm_20]
            .dtype = {.u32, .s32};
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            .scale = {.shr7, .shr15};
            9.7.18.1.4 VIDEO
            vset.atype.btype.cmp  d/part:u32, a/part:.atype, b/part:.btype, c:u32?;  [2.0 sm_20]
            vset.atype.btype.cmp.op2  d:u32, a/part:.atype, b/part:.btype, c:u32;  [2.0 sm_20]
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            .cmp = {.eq, .ne, .lt, .le, .gt, .ge};
            .op2 = {.add, .min, .max};
            9.7.18.2.1 VIDEO_SIMD
            vadd2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vadd2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vsub2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vsub2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vavrg2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vavrg2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vabsdiff2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vabsdiff2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vmin2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vmin2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vmax2.dtype.atype.btype{.sat}  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            vmax2.dtype.atype.btype.add  d/halfmask:.dtype, a/halves:.atype, b/halves:.btype, c/word:.dtype;  [3.0 sm_30]
            .dtype = {.u32, .s32};
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            9.7.18.2.2 VIDEO_SIMD
            vset2.atype.btype.cmp  d/halfmask:u32, a/halves:.atype, b/halves:.btype, c/word:u32;  [3.0 sm_30]
            vset2.atype.btype.cmp.add  d/halfmask:u32, a/halves:.atype, b/halves:.btype, c/word:u32;  [3.0 sm_30]
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            .cmp = {.eq, .ne, .lt, .le, .gt, .ge};
            9.7.18.2.3 VIDEO_SIMD
            vadd4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vadd4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vsub4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vsub4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vavrg4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vavrg4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vabsdiff4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vabsdiff4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vmin4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vmin4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vmax4.dtype.atype.btype{.sat}  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            vmax4.dtype.atype.btype.add  d/bytemask:.dtype, a/bytes:.atype, b/bytes:.btype, c/word:.dtype;  [3.0 sm_30]
            .dtype = {.u32, .s32};
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            9.7.18.2.4 VIDEO_SIMD
            vset4.atype.btype.cmp  d/bytemask:u32, a/bytes:.atype, b/bytes:.btype, c/word:u32;  [3.0 sm_30]
            vset4.atype.btype.cmp.add  d/bytemask:u32, a/bytes:.atype, b/bytes:.btype, c/word:u32;  [3.0 sm_30]
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            .cmp = {.eq, .ne, .lt, .le, .gt, .ge};
            """;

    private VideoForms() {}
}
