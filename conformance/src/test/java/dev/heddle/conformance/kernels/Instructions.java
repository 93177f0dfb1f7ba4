package dev.heddle.conformance.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The instructions that random kernels are made of, as patterns.
///
/// `$w $l $h $p` are sources of 32, 64, 16 and one bits, `$W $L $H $P` destinations, `$V` a second
/// destination of 32 bits, `$x` a word or a constant, `$iN` a constant from 0 to N. Of alternatives
/// in braces one is taken. Registers without a number are the kernel's own: `%t %u %q` are free,
/// `%s` is the thread's word of shared memory, `%sb` the first one. `canonical` makes NaNs one NaN
/// where the manual leaves their bits open.
///
/// Amounts of 64-bit shifts stay below 128: without its optimiser the driver's assembler takes
/// larger ones modulo 64.
///
/// What depends on the order of threads, as `red.inc` does, is left out, and so is a guard before
/// `testp` and `set` of floats: the driver's assembler guards only the first of the two machine
/// instructions it makes of them.
final class Instructions {
    private static final String CANONICAL_WORD = "add.rn.f32 $W, $W, 0f80000000;";
    private static final String CANONICAL_LONG =
            "testp.notanumber.f64 %q, $L; selp.b64 $L, 0x7ff8000000000000, $L, %q;";

    /// Every lane for itself.
    private static final List<String> SCALAR =
            lines(
                    """
                    {add,sub}{.s32,.u32} $W, $w, $x;
                    add.sat.s32 $W, $w, $w;
                    sub.sat.s32 $W, $w, $w;
                    {add,sub}{.s64,.u64} $L, $l, $l;
                    {add,sub}{.s16,.u16} $H, $h, $h;
                    add.cc.u32 $W, $w, $w; addc.u32 $V, $w, $x;
                    sub.cc.u32 $W, $w, $w; subc.u32 $V, $w, $w;
                    mul.lo{.s32,.u32} $W, $w, $x;
                    mul.hi{.s32,.u32} $W, $w, $w;
                    mul.wide{.s32,.u32} $L, $w, $w;
                    mul.lo{.s64,.u64} $L, $l, $l;
                    mul.hi{.s64,.u64} $L, $l, $l;
                    mul{.lo,.hi}{.s16,.u16} $H, $h, $h;
                    mul.wide{.s16,.u16} $W, $h, $h;
                    mad{.lo,.hi}{.s32,.u32} $W, $w, $w, $x;
                    mad.hi.sat.s32 $W, $w, $w, $w;
                    mad.wide{.s32,.u32} $L, $w, $w, $l;
                    mad.lo{.s64,.u64} $L, $l, $l, $l;
                    mad.lo{.s16,.u16} $H, $h, $h, $h;
                    mad.wide{.s16,.u16} $W, $h, $h, $w;
                    mul24{.lo,.hi}{.s32,.u32} $W, $w, $w;
                    mad24{.lo,.hi}{.s32,.u32} $W, $w, $w, $w;
                    mad.lo.cc.u32 $W, $w, $w, $w; madc.hi.u32 $V, $w, $w, $w;
                    sad{.s32,.u32} $W, $w, $w, $w;
                    sad{.s16,.u16} $H, $h, $h, $h;
                    sad{.s64,.u64} $L, $l, $l, $l;
                    or.b32 %t, $w, 1; {div,rem}.u32 $W, $w, %t;
                    and.b32 %t, $w, 0xfff; or.b32 %t, %t, 1; {div,rem}.s32 $W, $w, %t;
                    or.b64 %u, $l, 1; {div,rem}.u64 $L, $l, %u;
                    and.b64 %u, $l, 0xfffffff; or.b64 %u, %u, 1; {div,rem}.s64 $L, $l, %u;
                    abs.s32 $W, $w;
                    abs.s64 $L, $l;
                    neg.s32 $W, $w;
                    neg.s64 $L, $l;
                    neg.s16 $H, $h;
                    {min,max}{.s32,.u32} $W, $w, $x;
                    {min,max}{.s64,.u64} $L, $l, $l;
                    {min,max}{.s16,.u16} $H, $h, $h;
                    popc.b32 $W, $w;
                    popc.b64 $W, $l;
                    clz.b32 $W, $w;
                    clz.b64 $W, $l;
                    bfind{,.shiftamt}{.s32,.u32} $W, $w;
                    bfind{,.shiftamt}{.s64,.u64} $W, $l;
                    brev.b32 $W, $w;
                    brev.b64 $L, $l;
                    bfe{.s32,.u32} $W, $w, $i255, $i255;
                    bfe{.s32,.u32} $W, $w, $w, $w;
                    bfe{.s64,.u64} $L, $l, $i255, $i255;
                    bfi.b32 $W, $w, $w, $i255, $i255;
                    bfi.b32 $W, $w, $w, $w, $w;
                    bfi.b64 $L, $l, $l, $i255, $i255;
                    szext{.wrap,.clamp}{.s32,.u32} $W, $w, $w;
                    bmsk{.wrap,.clamp}.b32 $W, $w, $w;
                    dp4a{.s32,.u32}{.s32,.u32} $W, $w, $w, $w;
                    dp2a{.lo,.hi}{.s32,.u32}{.s32,.u32} $W, $w, $w, $w;
                    {and,or,xor}.b32 $W, $w, $x;
                    {and,or,xor}.b64 $L, $l, $l;
                    {and,or,xor}.b16 $H, $h, $h;
                    {and,or,xor}.pred $P, $p, $p;
                    not.pred $P, $p;
                    not.b32 $W, $w;
                    not.b64 $L, $l;
                    not.b16 $H, $h;
                    cnot.b32 $W, $w;
                    cnot.b64 $L, $l;
                    lop3.b32 $W, $w, $w, $w, $i255;
                    shf{.l,.r}{.clamp,.wrap}.b32 $W, $w, $w, $w;
                    shf{.l,.r}{.clamp,.wrap}.b32 $W, $w, $w, $i40;
                    {shl.b32,shr.u32,shr.s32} $W, $w, $i40;
                    {shl.b32,shr.u32,shr.s32} $W, $w, $w;
                    {shl.b64,shr.u64,shr.s64} $L, $l, $i70;
                    and.b32 %t, $w, 127; {shl.b64,shr.u64,shr.s64} $L, $l, %t;
                    {shl.b16,shr.u16,shr.s16} $H, $h, $i20;
                    prmt.b32 $W, $w, $w, $w;
                    prmt.b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} $W, $w, $w, $w;
                    mov.b32 $W, $x;
                    mov.b64 $L, {$w, $w};
                    mov.b64 {$W, $V}, $l;
                    mov.b32 $W, {$h, $h};
                    mov.b32 $W, %tid.x;
                    mov.u32 $W, %laneid;
                    mov.u32 $W, %lanemask_{lt,le,eq,ge,gt};
                    selp.b32 $W, $w, $x, $p;
                    selp.b64 $L, $l, $l, $p;
                    selp.b16 $H, $h, $h, $p;
                    slct.b32.s32 $W, $w, $w, $w;
                    slct.b32.f32 $W, $w, $w, $w;
                    slct.b64.s32 $L, $l, $l, $w;
                    setp.{eq,ne,lt,le,gt,ge}.s32 $P, $w, $x;
                    setp.{eq,ne,lo,ls,hi,hs,lt,le,gt,ge}.u32 $P, $w, $w;
                    setp.{lt,le,gt,ge,eq,ne}.s64 $P, $l, $l;
                    setp.{lt,ge,lo,hi}.u64 $P, $l, $l;
                    setp.{lt,le,gt,ge,eq,ne}.s16 $P, $h, $h;
                    setp.{eq,ne,lt,gt}.{and,or,xor}.s32 $P, $w, $w, $p;
                    setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f32 $P, $w, $w;
                    setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.f64 $P, $l, $l;
                    setp.{eq,lt,ge,neu,gtu}.f16 $P, $h, $h;
                    set.{eq,lt,ge}.u32.s32 $W, $w, $w;
                    set.{eq,lt,geu}.f32.f32 $W, $w, $w;
                    set.{lt,gt}.{and,or}.u32.u32 $W, $w, $w, $p;
                    add{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 $W, $w, $w;
                    sub{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 $W, $w, $w;
                    mul{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 $W, $w, $w;
                    fma{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 $W, $w, $w, $w;
                    add.rn.f32 $W, $w, $w;
                    mul.rn.f32 $W, $w, $w;
                    fma.rn.f32 $W, $w, $w, $w;
                    div{.rn,.rz,.rm,.rp}{,.ftz}.f32 $W, $w, $w;
                    rcp{.rn,.rz,.rm,.rp}{,.ftz}.f32 $W, $w;
                    sqrt{.rn,.rz,.rm,.rp}{,.ftz}.f32 $W, $w;
                    {rcp,rsqrt,sqrt,ex2,lg2,sin,cos}.approx{,.ftz}.f32 $W, $w;
                    {ex2,lg2,rcp,rsqrt}.approx.ftz.f32 $W, $w;
                    tanh.approx.f32 $W, $w;
                    div{.approx,.full}{,.ftz}.f32 $W, $w, $w;
                    {rcp.approx.ftz,rsqrt.approx.ftz,rsqrt.approx}.f64 $L, $l;
                    {ex2.approx.f16,tanh.approx.f16,ex2.approx.ftz.bf16,tanh.approx.bf16} $H, $h;
                    {ex2.approx.f16x2,tanh.approx.f16x2,ex2.approx.ftz.bf16x2,tanh.approx.bf16x2} $W, $w;
                    {min,max}{,.ftz}{,.NaN}.f32 $W, $w, $w;
                    {neg,abs}{,.ftz}.f32 $W, $w; canonical.f32;
                    copysign.f32 $W, $w, $w;
                    testp.{finite,infinite,number,notanumber,normal,subnormal}.f32 $P, $w;
                    testp.{finite,infinite,number,notanumber,normal,subnormal}.f64 $P, $l;
                    add{.rn,.rz,.rm,.rp}{,.ftz}.f32 $W, $w, $w;
                    {add,sub,mul}{.rn,.rz,.rm,.rp}.f64 $L, $l, $l; canonical.f64;
                    fma{.rn,.rz,.rm,.rp}.f64 $L, $l, $l, $l; canonical.f64;
                    div{.rn,.rz,.rm,.rp}.f64 $L, $l, $l; canonical.f64;
                    {sqrt,rcp}{.rn,.rz,.rm,.rp}.f64 $L, $l; canonical.f64;
                    {min,max}.f64 $L, $l, $l; canonical.f64;
                    {add,sub,mul}.rn{,.ftz}{,.sat}.f16 $H, $h, $h;
                    fma.rn{,.ftz}{,.sat}.f16 $H, $h, $h, $h;
                    fma.rn.relu.f16 $H, $h, $h, $h;
                    {min,max}{,.NaN}.f16 $H, $h, $h;
                    {add,sub,mul}.rn{,.ftz}{,.sat}.f16x2 $W, $w, $w;
                    fma.rn{,.ftz}{,.sat}.f16x2 $W, $w, $w, $w;
                    {min,max}{,.NaN}.f16x2 $W, $w, $w;
                    fma.rn{,.relu}.bf16 $H, $h, $h, $h;
                    fma.rn{,.relu}.bf16x2 $W, $w, $w, $w;
                    {min,max}{,.NaN}.bf16 $H, $h, $h;
                    {min,max}{,.NaN}.bf16x2 $W, $w, $w;
                    cvt{.s32,.u32}{.s16,.u16,.s8,.u8} $W, $h;
                    cvt{.s16,.u16}{.s32,.u32} $H, $w;
                    cvt.sat.{s8,u8,s16,u16}.{s32,u32} $W, $w;
                    cvt{.s64,.u64}{.s32,.u32} $L, $w;
                    cvt{.s32,.u32}{.s64,.u64} $W, $l;
                    cvt.sat.{s32,u32}.{s64,u64} $W, $l;
                    cvt{.rn,.rz,.rm,.rp}.f32{.s32,.u32} $W, $w;
                    cvt{.rn,.rz,.rm,.rp}.f32{.s64,.u64} $W, $l;
                    cvt{.rn,.rz,.rm,.rp}.f64{.s64,.u64} $L, $l;
                    cvt.rn.f64{.s32,.u32} $L, $w;
                    cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{.s32,.u32}.f32 $W, $w;
                    cvt{.rni,.rzi,.rmi,.rpi}{.s64,.u64}.f32 $L, $w;
                    cvt{.rni,.rzi,.rmi,.rpi}{.s32,.u32}.f64 $W, $l;
                    cvt{.rni,.rzi,.rmi,.rpi}{.s64,.u64}.f64 $L, $l;
                    cvt{.rni,.rzi,.rmi,.rpi}{.s16,.u16}.f32 $H, $w;
                    cvt{.rni,.rzi,.rmi,.rpi}{.s32,.u32}.f16 $W, $h;
                    cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}.f32.f32 $W, $w; canonical.f32;
                    cvt{.rni,.rzi,.rmi,.rpi}.f64.f64 $L, $l; canonical.f64;
                    cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32.f64 $W, $l;
                    cvt{,.ftz}.f64.f32 $L, $w; canonical.f64;
                    cvt{.rn,.rz}{,.sat}.f16.f32 $H, $w;
                    cvt.f32.f16 $W, $h;
                    cvt{.rn,.rz}.f16{.s32,.u32} $H, $w;
                    cvt{.rn,.rz}{,.relu}.bf16.f32 $H, $w;
                    cvt{.rn,.rz}{,.relu}.f16x2.f32 $W, $w, $w;
                    cvt{.rn,.rz}{,.relu}.bf16x2.f32 $W, $w, $w;
                    cvt.rna.tf32.f32 $W, $w;
                    st.local.v2.b32 [local], {$w, $w}; ld.local.b64 $L, [local];
                    st.local.b64 [local+8], $l; ld.local{.u8,.s8} $W, [local+{8,9,11,15}];
                    st.local.b64 [local+8], $l; ld.local{.u16,.s16} $W, [local+{8,10,14}];
                    st.local.b16 [local+4], $h; st.local.b16 [local+6], $h; ld.local.b32 $W, [local+4];
                    ld.global{.u8,.s8} $W, [%in+{0,3,64,77}];
                    ld.global{.u16,.s16} $W, [%in+{2,66,104}];
                    ld.global.v2.b32 {$W, $V}, [%in+{0,8,64,72}];
                    ld.global.b64 $L, [%in+{16,80,88}];
                    ld.const.b32 $W, [table+{0,4,20,60}];
                    and.b32 %t, $w, 60; cvt.u64.u32 %u, %t; mov.u64 %y, table; add.u64 %u, %u, %y; ld.const.b32 $W, [%u];
                    """);

    /// Lanes together: only where all run.
    private static final List<String> WARP =
            lines(
                    """
                    shfl.sync.idx.b32 $W|$P, $w, $i31, 31, -1;
                    shfl.sync.bfly.b32 $W, $w, {1,2,4,8,16,5}, 31, -1;
                    shfl.sync.idx.b32 $W, $w, $w, {0x1c1f,0x181f,31}, -1;
                    shfl.sync.up.b32 $W|$P, $w, {1,3,9}, {0,0x1800,0x1000}, -1;
                    shfl.sync.down.b32 $W|$P, $w, {1,3,9}, {31,0x181f}, -1;
                    vote.sync.{all,any,uni}.pred $P, $p, -1;
                    vote.sync.ballot.b32 $W, $p, -1;
                    and.b32 %t, $w, 3; match.any.sync.b32 $W, %t, -1;
                    and.b32 %t, $w, 1; match.all.sync.b32 $W|$P, %t, -1;
                    and.b64 %u, $l, 3; match.any.sync.b64 $W, %u, -1;
                    redux.sync.{add,min,max}{.s32,.u32} $W, $w, -1;
                    redux.sync.{and,or,xor}.b32 $W, $w, -1;
                    st.shared.b32 [%s], $w; bar.sync 0; xor.b32 %t, %tx, $i63; shl.b32 %t, %t, 2; add.u32 %t, %t, %sb; ld.shared.b32 $W, [%t]; bar.sync 0;
                    st.shared.b32 [%s], $w; bar.warp.sync -1; bar.sync 0; ld.shared.v4.b32 {$W, $V, %t, %v}, [%sb+{0,16,128}]; bar.sync 0;
                    st.shared.b32 [%s], 0; bar.sync 0; and.b32 %t, $w, 60; add.u32 %t, %t, %sb; red.shared.{add.u32,min.u32,max.u32,min.s32,max.s32,and.b32,or.b32,xor.b32} [%t], $w; bar.sync 0; ld.shared.b32 $W, [%s]; bar.sync 0;
                    bar.red.popc.u32 $W, 0, $p;
                    bar.red.{and,or}.pred $P, 0, $p;
                    call (%t), mix, ($w, $w); mov.b32 $W, %t;
                    """);

    private Instructions() {}

    private static List<String> lines(String text) {
        return text.lines()
                .map(line -> line.replace("canonical.f32;", CANONICAL_WORD))
                .map(line -> line.replace("canonical.f64;", CANONICAL_LONG))
                .toList();
    }

    /// Whether the driver's assembler leaves half of the instruction unguarded.
    static boolean losesItsGuard(String pattern) {
        return pattern.startsWith("testp") || pattern.startsWith("set.");
    }

    static String scalar(RandomGenerator random) {
        return choose(SCALAR.get(random.nextInt(SCALAR.size())), random);
    }

    static String warp(RandomGenerator random) {
        return choose(WARP.get(random.nextInt(WARP.size())), random);
    }

    /// Takes one of each `{a,b}` that is no list of registers.
    private static String choose(String pattern, RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            int open = pattern.indexOf('{', at);
            if (open < 0) {
                break;
            }
            int close = pattern.indexOf('}', open);
            String inside = pattern.substring(open + 1, close);
            text.append(pattern, at, open);
            if (inside.indexOf('$') >= 0) {
                text.append('{').append(inside).append('}');
            } else {
                List<String> choices = new ArrayList<>(List.of(inside.split(",", -1)));
                text.append(choices.get(random.nextInt(choices.size())));
            }
            at = close + 1;
        }
        return text.append(pattern.substring(at)).toString();
    }
}
