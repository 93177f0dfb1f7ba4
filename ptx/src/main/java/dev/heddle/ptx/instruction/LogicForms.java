package dev.heddle.ptx.instruction;

/// Comparison, selection, logic, shifts and conversions (PTX ISA 9.7.6 to 9.7.8, 9.7.9.3 to
/// 9.7.9.7, 9.7.9.20 to 9.7.9.22).
final class LogicForms {

    static final String COMPARISON =
            """
            9.7.6.1 SET
            set.eqne.dtype.bits  d:.dtype, a, b;
            set.eqne.bool.dtype.bits  d:.dtype, a, b, c:pred;
            set.scmp.dtype.signed  d:.dtype, a, b;
            set.scmp.bool.dtype.signed  d:.dtype, a, b, c:pred;
            set.ucmp.dtype.unsigned  d:.dtype, a, b;
            set.ucmp.bool.dtype.unsigned  d:.dtype, a, b, c:pred;
            set.fcmp{.ftz}.dtype.f32  d:.dtype, a, b;
            set.fcmp{.ftz}.bool.dtype.f32  d:.dtype, a, b, c:pred;
            set.fcmp.dtype.f64  d:.dtype, a, b;
            set.fcmp.bool.dtype.f64  d:.dtype, a, b, c:pred;
            .dtype = {.u32, .s32, .f32};
            9.7.7.1 SET
            set.eqne.f16.bits  d:f16, a, b;  [4.2 sm_53]
            set.eqne.bool.f16.bits  d:f16, a, b, c:pred;  [4.2 sm_53]
            set.scmp.f16.signed  d:f16, a, b;  [4.2 sm_53]
            set.scmp.bool.f16.signed  d:f16, a, b, c:pred;  [4.2 sm_53]
            set.ucmp.f16.unsigned  d:f16, a, b;  [4.2 sm_53]
            set.ucmp.bool.f16.unsigned  d:f16, a, b, c:pred;  [4.2 sm_53]
            set.fcmp{.ftz}.f16.stype  d:f16, a, b;  [4.2 sm_53]
            set.fcmp{.ftz}.bool.f16.stype  d:f16, a, b, c:pred;  [4.2 sm_53]
            set.fcmp.f16.f64  d:f16, a, b;  [4.2 sm_53]
            set.fcmp.bool.f16.f64  d:f16, a, b, c:pred;  [4.2 sm_53]
            set.eqne.bf16.bits  d:u16, a, b;  [7.8 sm_90]
            set.eqne.bool.bf16.bits  d:u16, a, b, c:pred;  [7.8 sm_90]
            set.scmp.bf16.signed  d:u16, a, b;  [7.8 sm_90]
            set.scmp.bool.bf16.signed  d:u16, a, b, c:pred;  [7.8 sm_90]
            set.ucmp.bf16.unsigned  d:u16, a, b;  [7.8 sm_90]
            set.ucmp.bool.bf16.unsigned  d:u16, a, b, c:pred;  [7.8 sm_90]
            set.fcmp.bf16.btype  d:u16, a, b;  [7.8 sm_90]
            set.fcmp.bool.bf16.btype  d:u16, a, b, c:pred;  [7.8 sm_90]
            set.fcmp{.ftz}.dtype.f16  d:.dtype, a, b;  [6.5 sm_53]
            set.fcmp{.ftz}.bool.dtype.f16  d:.dtype, a, b, c:pred;  [6.5 sm_53]
            set.fcmp.dtype.bf16  d:.dtype, a, b;  [7.8 sm_90]
            set.fcmp.bool.dtype.bf16  d:.dtype, a, b, c:pred;  [7.8 sm_90]
            set.fcmp{.ftz}.pair.f16x2  d:.pair, a, b;  [6.5 sm_53]
            set.fcmp{.ftz}.bool.pair.f16x2  d:.pair, a, b, c:pred;  [6.5 sm_53]
            set.fcmp.bpair.bf16x2  %d:.bpair, a, b;  [7.8 sm_90]
            set.fcmp.bool.bpair.bf16x2  %d:.bpair, a, b, c:pred;  [7.8 sm_90]
            .dtype = {.u16, .s16, .u32, .s32};
            .pair = {.f16x2, .u32, .s32};
            .bpair = {.bf16x2, .u32, .s32};
            .stype = {.f16, .f32};
            .btype = {.f16, .bf16, .f32, .f64};
            9.7.6.2 SET_PREDICATE
            setp.eqne.bits  p|q?:pred, a, b;
            setp.eqne.bool.bits  p|q?:pred, a, b, c:pred;
            setp.scmp.signed  p|q?:pred, a, b;
            setp.scmp.bool.signed  p|q?:pred, a, b, c:pred;
            setp.ucmp.unsigned  p|q?:pred, a, b;
            setp.ucmp.bool.unsigned  p|q?:pred, a, b, c:pred;
            setp.fcmp{.ftz}.f32  p|q?:pred, a, b;
            setp.fcmp{.ftz}.bool.f32  p|q?:pred, a, b, c:pred;
            setp.fcmp.f64  p|q?:pred, a, b;
            setp.fcmp.bool.f64  p|q?:pred, a, b, c:pred;
            9.7.7.2 SET_PREDICATE
            setp.fcmp{.ftz}.f16  p:pred, a, b;  [4.2 sm_53]
            setp.fcmp{.ftz}.bool.f16  p:pred, a, b, c:pred;  [4.2 sm_53]
            setp.fcmp{.ftz}.f16x2  p|q?:pred, a, b;  [4.2 sm_53]
            setp.fcmp{.ftz}.bool.f16x2  p|q?:pred, a, b, c:pred;  [4.2 sm_53]
            setp.fcmp.bf16  p:pred, a, b;  [7.8 sm_90]
            setp.fcmp.bool.bf16  p:pred, a, b, c:pred;  [7.8 sm_90]
            setp.fcmp.bf16x2  p|q?:pred, a, b;  [7.8 sm_90]
            setp.fcmp.bool.bf16x2  p|q?:pred, a, b, c:pred;  [7.8 sm_90]
            9.7.6.3 SELECT
            selp.type  d, a, b, c:pred;
            .type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64};
            9.7.6.4 SELECT_BY_SIGN
            slct.type.s32  d:.type, a:.type, b:.type, c!:s32;
            slct{.ftz}.type.f32  d:.type, a:.type, b:.type, c:f32;
            .type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64};
            """;

    static final String LOGIC =
            """
            9.7.8.1 AND
            and.type  d, a, b;
            .type = {.pred, .b16, .b32, .b64};
            9.7.8.2 OR
            or.type  d, a, b;
            .type = {.pred, .b16, .b32, .b64};
            9.7.8.3 XOR
            xor.type  d, a, b;
            .type = {.pred, .b16, .b32, .b64};
            9.7.8.4 NOT
            not.type  d, a;
            .type = {.pred, .b16, .b32, .b64};
            9.7.8.5 COMPUTE
            cnot.type  d, a;
            .type = {.b16, .b32, .b64};
            9.7.8.6 LOOKUP
            lop3.b32  d, a, b, c, #lut:b32;  [4.3 sm_50]
            lop3.op.b32  d_|p:pred, a, b, c, #lut:b32, q:pred;  [8.2 sm_70]
            .op = {.or, .and};
            9.7.8.7 FUNNEL_SHIFT
            shf.l.mode.b32  d, a, b, c:u32;  [3.1 sm_32]
            shf.r.mode.b32  d, a, b, c:u32;  [3.1 sm_32]
            .mode = {.clamp, .wrap};
            9.7.8.8 SHIFT_LEFT
            shl.bits  d, a, b:u32;
            9.7.8.9 SHIFT_RIGHT
            shr.type  d, a, b:u32;
            .type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64};
            """;

    static final String MOVES =
            """
            9.7.9.3 MOVE
            mov.type  d, a:mov;
            mov.pair.etype  d*, a*;
            .pair = {.v2, .v4};
            .etype = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64};
            .type = {.pred, .b16, .b32, .b64, .b128 [8.3 sm_70], .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64};
            9.7.9.5 EXCHANGE_WITHOUT_SYNC
            shfl.mode.b32  d|p?:pred, a, b, c;
            .mode = {.up, .down, .bfly, .idx};
            9.7.9.6 EXCHANGE
            shfl.sync.mode.b32  d|p?:pred, a, b, c, m:u32;  [6.0 sm_30]
            .mode = {.up, .down, .bfly, .idx};
            9.7.9.7 PERMUTE
            prmt.b32{.mode}  d, a, b, c;
            .mode = {.f4e, .b4e, .rc8, .ecl, .ecr, .rc16};
            9.7.9.19 IS_IN_SPACE
            isspacep.space  p:pred, a:address;
            .space = {.const, .global, .local, .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90], .param [7.7 sm_70], .param::entry [8.3 sm_70]};
            9.7.9.20 CONVERT_ADDRESS
            cvta.space.size  d, a:variable;
            cvta.to.space.size  d, a;
            .space = {.const, .global, .local, .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90], .param [7.7 sm_70], .param::entry [8.3 sm_70]};
            .size = {.u32, .u64};
            9.7.9.23 MAP_ADDRESS
            mapa{.shared::cluster}.size  d, a:variable, b:u32;  [7.8 sm_90]
            .size = {.u32, .u64};
            9.7.9.24 CTA_RANK
            getctarank{.shared::cluster}.size  d:u32, a:variable;  [7.8 sm_90]
            .size = {.u32, .u64};
            """;

    static final String CONVERSION =
            """
            9.7.9.21 CONVERT
            cvt.itype.stype  ~d:.itype, ~a:.stype;
            cvt.frnd{.ftz}{.sat}.f32.stype  ~d:f32, ~a:.stype;
            cvt.frnd{.sat}.ftype.stype  ~d:.ftype, ~a:.stype;
            cvt.irnd{.ftz}{.sat}.itype.f32  ~d:.itype, ~a:f32;
            cvt.irnd{.sat}.itype.half  ~d:.itype, ~a:.half;
            cvt.irnd{.sat}.itype.f64  ~d:.itype, ~a:f64;
            cvt.irnd.itype.bf16  d:.itype, a:bf16;  [7.8 sm_90]
            cvt.frnd{.sat}.f32.f64  ~d:f32, ~a:f64;
            cvt.frnd.ftz{.sat}.f32.f64  ~d:f32, ~a:f64;
            cvt.frnd{.sat}.f16.f64  ~d:f16, ~a:f64;
            cvt{.ftz}{.sat}.f32.f16  ~d:f32, ~a:f16;
            cvt{.sat}.f64.f16  ~d:f64, ~a:f16;
            cvt{.ftz}{.sat}.f64.f32  ~d:f64, ~a:f32;
            cvt{.irnd}{.ftz}{.sat}.f32.f32  ~d:f32, ~a:f32;
            cvt{.irnd}{.sat}.f16.f16  ~d:f16, ~a:f16;
            cvt{.irnd}.bf16.bf16  d:bf16, a:bf16;  [7.8 sm_90]
            cvt{.frnd}.f16.bf16  d:f16, a:bf16;  [7.8 sm_90]
            cvt{.frnd}.bf16.f16  d:bf16, a:f16;  [7.8 sm_90]
            cvt{.irnd}{.sat}.f64.f64  ~d:f64, ~a:f64;
            cvt{.frnd}{.ftz [7.8 sm_90]}.f32.bf16  d:f32, a:bf16;  [7.1 sm_80]
            cvt.frnd{.ftz}{.sat}.f16.f32  ~d:f16, ~a:f32;
            cvt.frnd2.relu{.satfinite [8.1 sm_80]}.f16.f32  ~d:f16, ~a:f32;  [7.0 sm_80]
            cvt.frnd2.satfinite.f16.f32  ~d:f16, ~a:f32;  [8.1 sm_80]
            cvt.frnd2{.relu}{.satfinite [8.1 sm_80]}.f16x2.f32  ~d:f16x2, ~a:f32, ~b:f32;  [7.0 sm_80]
            cvt.rs{.relu}{.satfinite}.f16x2.f32  ~d:f16x2, a:f32, b:f32, =r:b32;  [8.7 =sm_100a or =sm_103a]
            cvt.frnd2{.relu}{.satfinite [8.1 sm_80]}.bf16.f32  d:bf16, a:f32;  [7.0 sm_80]
            cvt.frnd{.ftz}.bf16.f32  d:bf16, a:f32;  [7.0 sm_80]
            cvt.frnd.bf16.btype  d:bf16, a:.btype;  [7.8 sm_90]
            cvt{.frnd}.f64.bf16  d:f64, a:bf16;  [7.8 sm_90]
            cvt.frnd2{.relu}{.satfinite [8.1 sm_80]}.bf16x2.f32  d:bf16x2, a:f32, b:f32;  [7.0 sm_80]
            cvt.rs{.relu}{.satfinite}.bf16x2.f32  d:bf16x2, a:f32, b:f32, =r:b32;  [8.7 =sm_100a or =sm_103a]
            cvt.rna{.satfinite [8.1 sm_80]}.tf32.f32  d:tf32, a:f32;  [7.0 sm_80]
            cvt.frnd2{.relu}.tf32.f32  d:tf32, a:f32;  [7.8 sm_90]
            cvt.frnd2.satfinite{.relu}.tf32.f32  d:tf32, a:f32;  [8.6 sm_100]
            cvt.rn.satfinite{.relu}.f8x2.f32  d:.f8x2, a:f32, b:f32;  [7.8 sm_89]
            cvt.rn.satfinite{.relu}.f8x2.f16x2  d:.f8x2, a:f16x2;  [7.8 sm_89]
            cvt.rn.satfinite{.relu}.f8x2.bf16x2  d:.f8x2, a:bf16x2;  [9.1 sm_100+ or sm_110+ or sm_120+]
            cvt.rn{.relu}.f16x2.f8x2  d:f16x2, a:.f8x2;  [7.8 sm_89]
            cvt.rs{.relu}.satfinite.f8x4.f32  d:.f8x4, a*4:f32, =r:b32;  [8.7 =sm_100a or =sm_103a]
            cvt.rn.satfinite{.relu}.e2m1x2.f32  d:e2m1x2, a:f32, b:f32;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rn.satfinite{.relu}.e2m1x2.f16x2  d:e2m1x2, a:f16x2;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rn.satfinite{.relu}.e2m1x2.bf16x2  d:e2m1x2, a:bf16x2;  [9.1 sm_100+ or sm_110+ or sm_120+]
            cvt.rn{.relu}.f16x2.e2m1x2  d:f16x2, a:e2m1x2;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rs{.relu}.satfinite.e2m1x4.f32  d:e2m1x4, a*4:f32, =r:b32;  [8.7 =sm_100a or =sm_103a]
            cvt.rn.satfinite{.relu}.f6x2.f32  d:.f6x2, a:f32, b:f32;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rn.satfinite{.relu}.f6x2.halves  d:.f6x2, a:.halves;  [9.1 sm_100+ or sm_110+ or sm_120+]
            cvt.rn{.relu}.f16x2.f6x2  d:f16x2, a:.f6x2;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rs{.relu}.satfinite.f6x4.f32  d:.f6x4, a*4:f32, =r:b32;  [8.7 =sm_100a or =sm_103a]
            cvt.frnd3{.satfinite}.ue8m0x2.f32  d:ue8m0x2, a:f32, b:f32;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.frnd3{.satfinite}.ue8m0x2.bf16x2  d:ue8m0x2, %a:bf16x2;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rn.bf16x2.ue8m0x2  %d:bf16x2, a:ue8m0x2;  [8.6 sm_100+ or sm_110+ or sm_120+]
            cvt.rn.satfinite{.relu}.s2f6x2.f32  d:s2f6x2, a:f32, b:f32;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.f32  d:s2f6x2, a:f32, b:f32, s:b16;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            cvt.rn.satfinite{.relu}.s2f6x2.bf16x2  d:s2f6x2, a:bf16x2;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            cvt.rn.satfinite{.relu}.scaled::n2::ue8m0.s2f6x2.bf16x2  d:s2f6x2, a:bf16x2, s:b16;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            cvt.rn{.satfinite}{.relu}.bf16x2.s2f6x2  d:bf16x2, a:s2f6x2;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            cvt.rn{.satfinite}{.relu}.scaled::n2::ue8m0.bf16x2.s2f6x2  d:bf16x2, a:s2f6x2, s:b16;  [9.1 =sm_100a or =sm_103a or =sm_110a or =sm_120a or =sm_121a]
            .frnd2 = {.rn, .rz};
            .frnd3 = {.rz, .rp};
            .frnd = {.rn, .rz, .rm, .rp};
            .irnd = {.rni, .rzi, .rmi, .rpi};
            .itype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64};
            .stype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64};
            .btype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f64};
            .ftype = {.f16, .f64};
            .half = {.f16};
            .f8x2 = {.e4m3x2, .e5m2x2};
            .f6x2 = {.e2m3x2, .e3m2x2};
            .halves = {.f16x2, .bf16x2};
            .f8x4 = {.e4m3x4, .e5m2x4};
            .f6x4 = {.e2m3x4, .e3m2x4};
            cvt.sat.narrow.wider  ~d:.narrow, ~a:.wider;
            .narrow = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64};
            .wider = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64};
            9.7.9.22 CONVERT_PACK
            cvt.pack.sat.to.s32  d!:u32, a!:s32, b!:s32;  [6.5 sm_72]
            cvt.pack.sat.small.s32.b32  d!:u32, a!:s32, b!:s32, c:b32;  [6.5 sm_72]
            .to = {.u16, .s16};
            .small = {.u2 [6.5 sm_75], .s2 [6.5 sm_75], .u4 [6.5 sm_75], .s4 [6.5 sm_75], .u8, .s8};
            """;

    private LogicForms() {}
}
