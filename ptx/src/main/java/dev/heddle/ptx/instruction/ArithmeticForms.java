package dev.heddle.ptx.instruction;

/// Integer, floating-point and half-precision arithmetic (PTX ISA 9.7.1 to 9.7.5).
final class ArithmeticForms {

    static final String INTEGER =
            """
            9.7.1.1 INTEGER_ADD
            add.type  d, a, b;
            add{.sat}.s32  d, a, b;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64, .u16x2 [8.0 sm_90], .s16x2 [8.0 sm_90]};
            9.7.1.2 INTEGER_SUBTRACT
            sub.type  d, a, b;
            sub{.sat}.s32  d, a, b;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            9.7.1.3 INTEGER_MULTIPLY
            mul.lo.type  d, a, b;
            mul.hi.type  d, a, b;
            mul.wide.wtype  d:wide, a, b;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            .wtype = {.u16, .u32, .s16, .s32};
            9.7.1.4 INTEGER_MULTIPLY_ADD
            mad.lo.type  d, a, b, c;
            mad.hi.type  d, a, b, c;
            mad.hi.sat.s32  d, a, b, c;
            mad.wide.wtype  d:wide, a, b, c:wide;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            .wtype = {.u16, .u32, .s16, .s32};
            9.7.1.5 MULTIPLY_24
            mul24.lo.type  d, a, b;
            mul24.hi.type  d, a, b;
            .type = {.u32, .s32};
            9.7.1.6 MULTIPLY_ADD_24
            mad24.lo.type  d, a, b, c;
            mad24.hi.type  d, a, b, c;
            mad24.hi.sat.s32  d, a, b, c;
            .type = {.u32, .s32};
            9.7.1.7 COMPUTE
            sad.type  d, a, b, c;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            9.7.1.8 INTEGER_DIVIDE
            div.type  d, a, b;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            9.7.1.9 INTEGER_REMAINDER
            rem.type  d, a, b;
            .type = {.u16, .u32, .u64, .s16, .s32, .s64};
            9.7.1.10 INTEGER_ABSOLUTE
            abs.type  d, a;
            .type = {.s16, .s32, .s64};
            9.7.1.11 INTEGER_NEGATE
            neg.type  d, a;
            .type = {.s16, .s32, .s64};
            9.7.1.12 INTEGER_MINIMUM
            min.atype  d, a, b;
            min{.relu [8.0 sm_90]}.btype  d, a, b;
            .atype = {.u16, .u32, .u64, .s16, .s64, .u16x2 [8.0 sm_90]};
            .btype = {.s32, .s16x2 [8.0 sm_90]};
            9.7.1.13 INTEGER_MAXIMUM
            max.atype  d, a, b;
            max{.relu [8.0 sm_90]}.btype  d, a, b;
            .atype = {.u16, .u32, .u64, .s16, .s64, .u16x2 [8.0 sm_90]};
            .btype = {.s32, .s16x2 [8.0 sm_90]};
            9.7.1.14 POPULATION_COUNT
            popc.type  d:u32, a;
            .type = {.b32, .b64};
            9.7.1.15 LEADING_ZEROS
            clz.type  d:u32, a;
            .type = {.b32, .b64};
            9.7.1.16 COMPUTE
            bfind{.shiftamt}.type  d:u32, a;
            .type = {.u32, .u64, .s32, .s64};
            9.7.1.17 COMPUTE
            fns.b32  d, a, b, c;
            9.7.1.18 REVERSE_BITS
            brev.type  d, a;
            .type = {.b32, .b64};
            9.7.1.19 EXTRACT_BITS
            bfe.type  d, a, b:u32, c:u32;
            .type = {.u32, .u64, .s32, .s64};
            9.7.1.20 INSERT_BITS
            bfi.type  d, a, b, c:u32, e:u32;
            .type = {.b32, .b64};
            9.7.1.21 COMPUTE
            szext.mode.type  d, a, b:u32;  [7.6 sm_70]
            .mode = {.clamp, .wrap};
            .type = {.u32, .s32};
            9.7.1.22 COMPUTE
            bmsk.mode.b32  d:u32, a:u32, b:u32;  [7.6 sm_70]
            .mode = {.clamp, .wrap};
            9.7.1.23 COMPUTE
            dp4a.atype.btype  d:s32, a!:s32, b!:s32, c:s32;  [5.0 sm_61]
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            9.7.1.24 COMPUTE
            dp2a.lo.atype.btype  d:s32, a!:s32, b!:s32, c:s32;  [5.0 sm_61]
            dp2a.hi.atype.btype  d:s32, a!:s32, b!:s32, c:s32;  [5.0 sm_61]
            .atype = {.u32, .s32};
            .btype = {.u32, .s32};
            9.7.2.1 EXTENDED_ADD
            add.cc.type  d, a, b;
            .type = {.u32, .s32, .u64, .s64};
            9.7.2.2 ADD_WITH_CARRY
            addc{.cc}.type  d, a, b;
            .type = {.u32, .s32, .u64, .s64};
            9.7.2.3 EXTENDED_SUBTRACT
            sub.cc.type  d, a, b;
            .type = {.u32, .s32, .u64, .s64};
            9.7.2.4 SUBTRACT_WITH_BORROW
            subc{.cc}.type  d, a, b;
            .type = {.u32, .s32, .u64, .s64};
            9.7.2.5 EXTENDED_MULTIPLY_ADD
            mad.lo.cc.type  d, a, b, c;
            mad.hi.cc.type  d, a, b, c;
            .type = {.u32, .s32, .u64, .s64};
            9.7.2.6 MULTIPLY_ADD_WITH_CARRY
            madc.lo{.cc}.type  d, a, b, c;
            madc.hi{.cc}.type  d, a, b, c;
            .type = {.u32, .s32, .u64, .s64};
            """;

    static final String FLOATING_POINT =
            """
            9.7.3.1 COMPUTE
            testp.op.type  p:pred, a;
            .op = {.finite, .infinite, .number, .notanumber, .normal, .subnormal};
            .type = {.f32, .f64};
            9.7.3.2 COMPUTE
            copysign.type  d, a, b;
            .type = {.f32, .f64};
            9.7.3.3 FLOAT_ADD
            add{.rnd}{.ftz}{.sat}.f32  d, a, b;
            add{.rnd}{.ftz}.f32x2  d, a, b;  [8.6 sm_100]
            add{.rnd}.f64  d, a, b;
            9.7.3.4 FLOAT_SUBTRACT
            sub{.rnd}{.ftz}{.sat}.f32  d, a, b;
            sub{.rnd}{.ftz}.f32x2  d, a, b;  [8.6 sm_100]
            sub{.rnd}.f64  d, a, b;
            9.7.3.5 FLOAT_MULTIPLY
            mul{.rnd}{.ftz}{.sat}.f32  d, a, b;
            mul{.rnd}{.ftz}.f32x2  d, a, b;  [8.6 sm_100]
            mul{.rnd}.f64  d, a, b;
            9.7.3.6 FUSED_MULTIPLY_ADD
            fma.rnd{.ftz}{.sat}.f32  d, a, b, c;
            fma.rnd{.ftz}.f32x2  d, a, b, c;  [8.6 sm_100]
            fma.rnd.f64  d, a, b, c;
            9.7.3.7 FUSED_MULTIPLY_ADD
            mad{.rnd}{.ftz}{.sat}.f32  d, a, b, c;
            mad.rnd.f64  d, a, b, c;
            9.7.3.8 FLOAT_DIVIDE
            div.approx{.ftz}.f32  d, a, b;
            div.full{.ftz}.f32  d, a, b;
            div.rnd{.ftz}.f32  d, a, b;
            div.rnd.f64  d, a, b;
            9.7.3.9 FLOAT_ABSOLUTE
            abs{.ftz}.f32  d, a;
            abs.f64  d, a;
            9.7.3.10 FLOAT_NEGATE
            neg{.ftz}.f32  d, a;
            neg.f64  d, a;
            9.7.3.11 FLOAT_MINIMUM
            min{.ftz}{.NaN [7.0 sm_80]}{.xorsign.abs [7.2 sm_86]}.f32  d, a, b;
            min{.ftz}{.NaN}{.abs}.f32  d, a, b, c;  [8.8 sm_100]
            min.f64  d, a, b;
            9.7.3.12 FLOAT_MAXIMUM
            max{.ftz}{.NaN [7.0 sm_80]}{.xorsign.abs [7.2 sm_86]}.f32  d, a, b;
            max{.ftz}{.NaN}{.abs}.f32  d, a, b, c;  [8.8 sm_100]
            max.f64  d, a, b;
            9.7.3.13 RECIPROCAL
            rcp.approx{.ftz}.f32  d, a;
            rcp.rnd{.ftz}.f32  d, a;
            rcp.rnd.f64  d, a;
            9.7.3.14 RECIPROCAL
            rcp.approx.ftz.f64  d, a;
            9.7.3.15 SQUARE_ROOT
            sqrt.approx{.ftz}.f32  d, a;
            sqrt.rnd{.ftz}.f32  d, a;
            sqrt.rnd.f64  d, a;
            9.7.3.16 RECIPROCAL_SQUARE_ROOT
            rsqrt.approx{.ftz}.f32  d, a;
            rsqrt.approx{.ftz}.f64  d, a;
            9.7.3.18 SINE
            sin.approx{.ftz}.f32  d, a;
            9.7.3.19 COSINE
            cos.approx{.ftz}.f32  d, a;
            9.7.3.20 LOGARITHM
            lg2.approx{.ftz}.f32  d, a;
            9.7.3.21 EXPONENTIAL
            ex2.approx{.ftz}.f32  d, a;
            9.7.3.22 HYPERBOLIC_TANGENT
            tanh.approx.f32  d, a;  [7.0 sm_75]
            """;

    static final String HALF_PRECISION =
            """
            9.7.4.1 FLOAT_ADD
            add{.rn}{.ftz}{.sat}.half  d, a, b;  [4.2 sm_53]
            add{.rn}.bhalf  d, a, b;  [7.8 sm_90]
            9.7.4.2 FLOAT_SUBTRACT
            sub{.rn}{.ftz}{.sat}.half  d, a, b;  [4.2 sm_53]
            sub{.rn}.bhalf  d, a, b;  [7.8 sm_90]
            9.7.4.3 FLOAT_MULTIPLY
            mul{.rn}{.ftz}{.sat}.half  d, a, b;  [4.2 sm_53]
            mul{.rn}.bhalf  d, a, b;  [7.8 sm_90]
            9.7.4.4 FUSED_MULTIPLY_ADD
            fma.rn{.ftz}{.sat}.half  d, a, b, c;  [4.2 sm_53]
            fma.rn{.ftz}.relu.half  d, a, b, c;  [7.0 sm_80]
            fma.rn{.relu}.bhalf  d, a, b, c;  [7.0 sm_80]
            fma.rn.oob{.relu}.half  d, a, b, c;  [8.1 sm_90]
            fma.rn.oob{.relu}.bhalf  d, a, b, c;  [8.1 sm_90]
            9.7.4.5 FLOAT_NEGATE
            neg{.ftz}.half  d, a;  [6.0 sm_53]
            neg.bhalf  d, a;  [7.0 sm_80]
            9.7.4.6 FLOAT_ABSOLUTE
            abs{.ftz}.half  d, a;  [6.5 sm_53]
            abs.bhalf  d, a;  [7.0 sm_80]
            9.7.4.7 FLOAT_MINIMUM
            min{.ftz}{.NaN}{.xorsign.abs [7.2 sm_86]}.half  d, a, b;  [7.0 sm_80]
            min{.NaN}{.xorsign.abs [7.2 sm_86]}.bhalf  d, a, b;  [7.0 sm_80]
            9.7.4.8 FLOAT_MAXIMUM
            max{.ftz}{.NaN}{.xorsign.abs [7.2 sm_86]}.half  d, a, b;  [7.0 sm_80]
            max{.NaN}{.xorsign.abs [7.2 sm_86]}.bhalf  d, a, b;  [7.0 sm_80]
            9.7.4.9 HYPERBOLIC_TANGENT
            tanh.approx.half  d, a;  [7.0 sm_75]
            tanh.approx.bhalf  d, a;  [7.8 sm_90]
            9.7.4.10 EXPONENTIAL
            ex2.approx.half  d, a;  [7.0 sm_75]
            ex2.approx.ftz.bhalf  d, a;  [7.8 sm_90]
            9.7.5.1 MIXED_ADD
            add{.rnd}{.sat}.f32.atype  d:f32, a, c:f32;  [8.6 sm_100]
            .atype = {.f16, .bf16};
            9.7.5.2 MIXED_SUBTRACT
            sub{.rnd}{.sat}.f32.atype  d:f32, a, c:f32;  [8.6 sm_100]
            .atype = {.f16, .bf16};
            9.7.5.3 MIXED_MULTIPLY_ADD
            fma.rnd{.sat}.f32.atype  d:f32, a, b, c:f32;  [8.6 sm_100]
            .atype = {.f16, .bf16};
            """;

    private ArithmeticForms() {}
}
