package dev.heddle.ptx.check;

/// Integer, floating-point and half-precision arithmetic (PTX ISA 9.7.1 to 9.7.5).
final class ArithmeticForms {

    static final String INTEGER =
            """
            9.7.1.1
            add.type d, a, b
            add{.sat}.s32 d, a, b
            .type = u16 u32 u64 s16 s32 s64 u16x2@8.0/90 s16x2@8.0/90
            9.7.1.2
            sub.type d, a, b
            sub{.sat}.s32 d, a, b
            .type = u16 u32 u64 s16 s32 s64
            9.7.1.3
            mul.lo.type d, a, b
            mul.hi.type d, a, b
            mul.wide.wtype d:wide, a, b
            .type = u16 u32 u64 s16 s32 s64
            .wtype = u16 u32 s16 s32
            9.7.1.4
            mad.lo.type d, a, b, c
            mad.hi.type d, a, b, c
            mad.hi.sat.s32 d, a, b, c
            mad.wide.wtype d:wide, a, b, c:wide
            .type = u16 u32 u64 s16 s32 s64
            .wtype = u16 u32 s16 s32
            9.7.1.5
            mul24.lo.type d, a, b
            mul24.hi.type d, a, b
            .type = u32 s32
            9.7.1.6
            mad24.lo.type d, a, b, c
            mad24.hi.type d, a, b, c
            mad24.hi.sat.s32 d, a, b, c
            .type = u32 s32
            9.7.1.7
            sad.type d, a, b, c
            .type = u16 u32 u64 s16 s32 s64
            9.7.1.8
            div.type d, a, b
            .type = u16 u32 u64 s16 s32 s64
            9.7.1.9
            rem.type d, a, b
            .type = u16 u32 u64 s16 s32 s64
            9.7.1.10
            abs.type d, a
            .type = s16 s32 s64
            9.7.1.11
            neg.type d, a
            .type = s16 s32 s64
            9.7.1.12
            min.atype d, a, b
            min{.relu@8.0/90}.btype d, a, b
            .atype = u16 u32 u64 s16 s64 u16x2@8.0/90
            .btype = s32 s16x2@8.0/90
            9.7.1.13
            max.atype d, a, b
            max{.relu@8.0/90}.btype d, a, b
            .atype = u16 u32 u64 s16 s64 u16x2@8.0/90
            .btype = s32 s16x2@8.0/90
            9.7.1.14
            popc.type d:u32, a
            .type = b32 b64
            9.7.1.15
            clz.type d:u32, a
            .type = b32 b64
            9.7.1.16
            bfind{.shiftamt}.type d:u32, a
            .type = u32 u64 s32 s64
            9.7.1.17
            fns.b32 d, a:b32, b:b32, c:s32
            9.7.1.18
            brev.type d, a
            .type = b32 b64
            9.7.1.19
            bfe.type d, a, b:u32, c:u32
            .type = u32 u64 s32 s64
            9.7.1.20
            bfi.type d, a, b, c:u32, e:u32
            .type = b32 b64
            9.7.1.21
            szext.mode.type d, a, b:u32 @7.6/70
            .mode = clamp wrap
            .type = u32 s32
            9.7.1.22
            bmsk.mode.b32 d, a, b @7.6/70
            .mode = clamp wrap
            9.7.1.23
            dp4a.atype.btype d:s32, a:b32, b:b32, c:s32 @5.0/61
            .atype = u32 s32
            .btype = u32 s32
            9.7.1.24
            dp2a.lo.atype.btype d:s32, a:b32, b:b32, c:s32 @5.0/61
            dp2a.hi.atype.btype d:s32, a:b32, b:b32, c:s32 @5.0/61
            .atype = u32 s32
            .btype = u32 s32
            9.7.2.1
            add.cc.type d, a, b
            .type = u32 s32 u64 s64
            9.7.2.2
            addc{.cc}.type d, a, b
            .type = u32 s32 u64 s64
            9.7.2.3
            sub.cc.type d, a, b
            .type = u32 s32 u64 s64
            9.7.2.4
            subc{.cc}.type d, a, b
            .type = u32 s32 u64 s64
            9.7.2.5
            mad.lo.cc.type d, a, b, c
            mad.hi.cc.type d, a, b, c
            .type = u32 s32 u64 s64
            9.7.2.6
            madc.lo{.cc}.type d, a, b, c
            madc.hi{.cc}.type d, a, b, c
            .type = u32 s32 u64 s64
            """;

    static final String FLOATING_POINT =
            """
            9.7.3.1
            testp.op.type p:pred, a
            .op = finite infinite number notanumber normal subnormal
            .type = f32 f64
            9.7.3.2
            copysign.type d, a, b
            .type = f32 f64
            9.7.3.3
            add{.rnd}{.ftz}{.sat}.f32 d, a, b
            add{.rnd}{.ftz}.f32x2 d, a, b @8.6/100
            add{.rnd}.f64 d, a, b
            9.7.3.4
            sub{.rnd}{.ftz}{.sat}.f32 d, a, b
            sub{.rnd}{.ftz}.f32x2 d, a, b @8.6/100
            sub{.rnd}.f64 d, a, b
            9.7.3.5
            mul{.rnd}{.ftz}{.sat}.f32 d, a, b
            mul{.rnd}{.ftz}.f32x2 d, a, b @8.6/100
            mul{.rnd}.f64 d, a, b
            9.7.3.6
            fma.rnd{.ftz}{.sat}.f32 d, a, b, c
            fma.rnd{.ftz}.f32x2 d, a, b, c @8.6/100
            fma.rnd.f64 d, a, b, c
            9.7.3.7
            mad.rnd{.ftz}{.sat}.f32 d, a, b, c
            mad.rnd.f64 d, a, b, c
            9.7.3.8
            div.approx{.ftz}.f32 d, a, b
            div.full{.ftz}.f32 d, a, b
            div.rnd{.ftz}.f32 d, a, b
            div.rnd.f64 d, a, b
            9.7.3.9
            abs{.ftz}.f32 d, a
            abs.f64 d, a
            9.7.3.10
            neg{.ftz}.f32 d, a
            neg.f64 d, a
            9.7.3.11
            min{.ftz}{.NaN@7.0/80}{.xorsign.abs@7.2/86}.f32 d, a, b
            min{.ftz}{.NaN}{.abs}.f32 d, a, b, c @8.8/100
            min.f64 d, a, b
            9.7.3.12
            max{.ftz}{.NaN@7.0/80}{.xorsign.abs@7.2/86}.f32 d, a, b
            max{.ftz}{.NaN}{.abs}.f32 d, a, b, c @8.8/100
            max.f64 d, a, b
            9.7.3.13
            rcp.approx{.ftz}.f32 d, a
            rcp.rnd{.ftz}.f32 d, a
            rcp.rnd.f64 d, a
            9.7.3.14
            rcp.approx.ftz.f64 d, a
            9.7.3.15
            sqrt.approx{.ftz}.f32 d, a
            sqrt.rnd{.ftz}.f32 d, a
            sqrt.rnd.f64 d, a
            9.7.3.16
            rsqrt.approx{.ftz}.f32 d, a
            rsqrt.approx{.ftz}.f64 d, a
            9.7.3.18
            sin.approx{.ftz}.f32 d, a
            9.7.3.19
            cos.approx{.ftz}.f32 d, a
            9.7.3.20
            lg2.approx{.ftz}.f32 d, a
            9.7.3.21
            ex2.approx{.ftz}.f32 d, a
            9.7.3.22
            tanh.approx.f32 d, a @7.0/75
            """;

    static final String HALF_PRECISION =
            """
            9.7.4.1
            add{.rn}{.ftz}{.sat}.half d, a, b @4.2/53
            add{.rn}.bhalf d, a, b @7.8/90
            9.7.4.2
            sub{.rn}{.ftz}{.sat}.half d, a, b @4.2/53
            sub{.rn}.bhalf d, a, b @7.8/90
            9.7.4.3
            mul{.rn}{.ftz}{.sat}.half d, a, b @4.2/53
            mul{.rn}.bhalf d, a, b @7.8/90
            9.7.4.4
            fma.rn{.ftz}{.sat}.half d, a, b, c @4.2/53
            fma.rn{.ftz}.relu.half d, a, b, c @7.0/80
            fma.rn{.relu}.bhalf d, a, b, c @7.0/80
            fma.rn.oob{.relu}.half d, a, b, c @8.1/90
            fma.rn.oob{.relu}.bhalf d, a, b, c @8.1/90
            9.7.4.5
            neg{.ftz}.half d, a @6.0/53
            neg.bhalf d, a @7.0/80
            9.7.4.6
            abs{.ftz}.half d, a @6.5/53
            abs.bhalf d, a @7.0/80
            9.7.4.7
            min{.ftz}{.NaN}{.xorsign.abs@7.2/86}.half d, a, b @7.0/80
            min{.NaN}{.xorsign.abs@7.2/86}.bhalf d, a, b @7.0/80
            9.7.4.8
            max{.ftz}{.NaN}{.xorsign.abs@7.2/86}.half d, a, b @7.0/80
            max{.NaN}{.xorsign.abs@7.2/86}.bhalf d, a, b @7.0/80
            9.7.4.9
            tanh.approx.half d, a @7.0/75
            tanh.approx.bhalf d, a @7.8/90
            9.7.4.10
            ex2.approx.half d, a @7.0/75
            ex2.approx.ftz.bhalf d, a @7.8/90
            9.7.5.1
            add{.rnd}{.sat}.f32.atype d:f32, a, c:f32 @8.6/100
            .atype = f16 bf16
            9.7.5.2
            sub{.rnd}{.sat}.f32.atype d:f32, a, c:f32 @8.6/100
            .atype = f16 bf16
            9.7.5.3
            fma.rnd{.sat}.f32.atype d:f32, a, b, c:f32 @8.6/100
            .atype = f16 bf16
            """;

    private ArithmeticForms() {}
}
