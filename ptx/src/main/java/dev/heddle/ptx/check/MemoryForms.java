package dev.heddle.ptx.check;

/// Loads, stores, asynchronous copies and atomics (PTX ISA 9.7.9.8 to 9.7.9.28, 9.7.13.5 to
/// 9.7.13.7,
/// 9.7.17).
final class MemoryForms {

    static final String LOADS =
            """
            9.7.9.8
            ld{.weak@6.0/70}{.ss}{.cop}{.l1@7.4/70}{.l2@8.8/100}{.hint@7.4/80}{.fetch}{.vec}.type ~d*, [a], policy:b64?hint
            ld.volatile{.ss}{.fetch}{.vec}.type ~d*, [a]
            ld.order.scope{.ss}{.l1@7.4/70}{.l2@8.8/100}{.hint@7.4/80}{.fetch}{.vec}.type ~d*, [a], policy:b64?hint @6.0/70
            ld.mmio.relaxed.sys{.global}.type ~d, [a] @8.2/70
            .ss = const global local param param::entry@8.3/0 param::func@8.3/0 shared shared::cta@7.8/30 shared::cluster@7.8/90
            .cop = ca cg cs lu cv
            .order = relaxed acquire
            9.7.9.9
            ld.global{.cop}.nc{.l1@7.4/70}{.l2@8.8/100}{.hint@7.4/80}{.fetch}{.vec}.type ~d*, [a], policy:b64?hint @3.1/32
            .cop = ca cg cs
            9.7.9.10
            ldu{.global}{.vec}.type ~d*, [a]
            9.7.9.11
            st{.weak@6.0/70}{.ss}{.cop}{.l1@7.4/70}{.l2@8.8/100}{.hint@7.4/80}{.vec}.type [a], ~b*, policy:b64?hint
            st.volatile{.ss}{.vec}.type [a], ~b*
            st.order.scope{.ss}{.l1@7.4/70}{.l2@8.8/100}{.hint@7.4/80}{.vec}.type [a], ~b*, policy:b64?hint @6.0/70
            st.mmio.relaxed.sys{.global}.type [a], ~b @8.2/70
            .ss = global local param param::func@8.3/0 shared shared::cta@7.8/30 shared::cluster@7.8/90
            .cop = wb cg cs wt
            .order = relaxed release
            9.7.9.12
            st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.atype [a:shared], b*, [m:shared] @8.1/90
            st.async.release.scope{.global}.type [a:global], b @8.7/100
            .atype = b32 b64 u32 u64 s32 s64 f32 f64
            9.7.9.13
            st.bulk{.weak}{.shared::cta} [a:shared], n:any, #z:u32 @8.6/100
            9.7.9.14
            multimem.ld_reduce{.weak}{.global}.op.mtype d*, [a:global] @8.1/90
            multimem.ld_reduce{.sem}{.scope}{.global}.op{.acc}{.vec}.mtype d*, [a:global] @8.1/90
            multimem.st{.weak}{.global}{.vec}.mtype [a:global], b* @8.1/90
            multimem.st{.sem}{.scope}{.global}{.vec}.mtype [a:global], b* @8.1/90
            multimem.red{.sem}{.scope}{.global}.op{.vec}.mtype [a:global], b* @8.1/90
            .op = min max add and or xor
            .sem = relaxed acquire release
            .acc = acc::f32@8.2/90 acc::f16@8.6/100f+110f
            .mtype = b32 b64 u32 u64 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4
            9.7.9.15
            prefetch{.space}.level [a]
            prefetch.global.priority [a:global] @7.4/80
            prefetch{.tspace}.tensormap [a:any] @8.0/90
            prefetchu.L1 [a:any]
            .space = global local
            .tspace = const param
            .level = L1 L2
            .priority = L2::evict_last L2::evict_normal
            9.7.9.16
            applypriority{.global}.L2::evict_normal [a:global], #n:u32 @7.4/80
            9.7.9.17
            discard{.global}.L2 [a:global], #n:u32 @7.4/80
            9.7.9.18
            createpolicy.range{.global}.first{.second}.b64 d, [a:global], n:u32, m:u32 @7.4/80
            createpolicy.fractional.first{.second}.b64 d, f:f32? @7.4/80
            createpolicy.cvt.L2.b64 d, a:b64 @7.4/80
            .first = L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged
            .second = L2::evict_first L2::evict_unchanged
            """;

    static final String COPIES =
            """
            9.7.9.25.3.1
            cp.async.ca.cshared.global{.hint@7.4/80}{.fetch} [d:shared], [s:global], #n:u32, k:source?, policy:b64?hint @7.0/80
            cp.async.cg.cshared.global{.hint@7.4/80}{.fetch} [d:shared], [s:global], #n:u32, k:source?, policy:b64?hint @7.0/80
            .cshared = shared shared::cta@7.8/80
            9.7.9.25.3.2
            cp.async.commit_group @7.0/80
            9.7.9.25.3.3
            cp.async.wait_group #n:u32 @7.0/80
            cp.async.wait_all @7.0/80
            9.7.13.15.14
            cp.async.mbarrier.arrive{.noinc}{.cshared}.b64 [a:shared] @7.0/80
            .cshared = shared shared::cta@7.8/80
            9.7.9.25.4.1
            cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.hint} [d:shared], [s:global], n:u32, [m:shared], policy:b64?hint @8.6/90
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.hint} [d:shared], [s:global], n:u32, [m:shared], c:u16?multicast::cluster, policy:b64?hint @8.0/90
            cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [d:shared], [s:shared], n:u32, [m:shared] @8.0/90
            cp.async.bulk.global.shared::cta.bulk_group{.hint}{.cp_mask@8.6/100} [d:global], [s:shared], n:u32, policy:b64?hint, k:u16?cp_mask @8.0/90
            9.7.9.25.4.2
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.op.type [d:shared], [s:shared], n:u32, [m:shared] @8.0/90
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint}.op{.noftz}.type [d:global], [s:shared], n:u32, policy:b64?hint @8.0/90
            .op = and or xor add inc dec min max
            .type = f16 bf16 b32 u32 s32 b64 u64 s64 f32 f64
            9.7.9.25.4.3
            cp.async.bulk.prefetch.L2.global{.hint} [s:global], n:u32, policy:b64?hint @8.0/90
            9.7.9.27.1.2
            cp.async.bulk.tensor.dim.shared::cta.global{.load}.mbarrier::complete_tx::bytes{.group}{.hint} [d:shared], [t:tensor], [m:shared], i:any?offsets, policy:b64?hint @8.6/90
            cp.async.bulk.tensor.dim.shared::cluster.global{.load}.mbarrier::complete_tx::bytes{.multicast::cluster}{.group}{.hint} [d:shared], [t:tensor], [m:shared], i:any?offsets, c:u16?multicast::cluster, policy:b64?hint @8.0/90
            cp.async.bulk.tensor.dim.global.shared::cta{.store}.bulk_group{.hint} [t:tensor], [s:shared], policy:b64?hint @8.0/90
            cp.reduce.async.bulk.tensor.dim.global.shared::cta.op{.store}.bulk_group{.hint} [t:tensor], [s:shared], policy:b64?hint @8.0/90
            cp.async.bulk.prefetch.tensor.dim.L2.global{.load}{.hint} [t:tensor], i:any?offsets, policy:b64?hint @8.0/90
            .dim = 1d 2d 3d 4d 5d
            .load = tile im2col tile::gather4@8.6/100 im2col::w@8.6/100 im2col::w::128@8.6/100f+110f
            .group = cta_group::1@8.6/100f+110f cta_group::2@8.6/100f+110f
            .store = tile tile::scatter4@8.6/100f+110f im2col_no_offs
            .op = add min max inc dec and or xor
            9.7.9.27.2.1
            cp.async.bulk.commit_group @8.0/90
            9.7.9.27.2.2
            cp.async.bulk.wait_group{.read} #n:u32 @8.0/90
            9.7.9.28
            tensormap.replace.tile.field{.rspace}.b1024.vtype [a], v:.vtype @8.3/90a+100f+110f+120f
            tensormap.replace.tile.indexed{.rspace}.b1024.vtype [a], #o:u32, v:.vtype @8.3/90a+100f+110f+120f
            .field = global_address rank elemtype interleave_layout swizzle_mode swizzle_atomicity fill_mode
            .indexed = box_dim global_dim global_stride element_stride
            .rspace = global shared::cta
            .vtype = b32 b64
            9.7.13.16
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned [d:global], [s:shared], #n:u32 @8.3/90
            9.7.17.1
            stacksave.size d @7.3/52
            .size = u32 u64
            9.7.17.2
            stackrestore.size a @7.3/52
            .size = u32 u64
            9.7.17.3
            alloca.size d, n, #k:u32? @7.3/52
            .size = u32 u64
            """;

    static final String ATOMICS =
            """
            9.7.13.5
            atom{.sem}{.scope}{.space}.and{.hint}.abits d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.or{.hint}.abits d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.xor{.hint}.abits d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.exch{.hint}.xbits d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.cas.cbits d_, [a], b, c
            atom{.sem}{.scope}{.space}.add{.hint}.addend d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.inc{.hint}.u32 d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.dec{.hint}.u32 d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.min{.hint}.ordered d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.max{.hint}.ordered d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.space}.add.noftz{.hint}.halves d_, [a], b, policy:b64?hint
            atom{.sem}{.scope}{.global}.add{.hint}.v32.f32 d_*, [a], b*, policy:b64?hint @8.1/90
            atom{.sem}{.scope}{.global}.vop.noftz{.hint}.v16.half16 d_*, [a], b*, policy:b64?hint @8.1/90
            atom{.sem}{.scope}{.global}.vop.noftz{.hint}.v32.half32 d_*, [a], b*, policy:b64?hint @8.1/90
            .sem = relaxed@6.0/70 acquire@6.0/70 release@6.0/70 acq_rel@6.0/70
            .space = global shared shared::cta@7.8/30 shared::cluster@7.8/90
            .abits = b32 b64
            .xbits = b32 b64 b128@8.3/90
            .cbits = b16@6.3/70 b32 b64 b128@8.3/90
            .addend = u32 s32 u64 f32 f64@5.0/60
            .ordered = u32 u64 s32 s64
            .halves = f16@6.3/70 f16x2@6.2/60 bf16@7.8/90 bf16x2@7.8/90
            .vop = add min max
            .v32 = v2 v4
            .v16 = v2 v4 v8
            .half16 = f16 bf16
            .half32 = f16x2 bf16x2
            9.7.13.6
            red{.sem}{.scope}{.space}.and{.hint}.abits [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.or{.hint}.abits [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.xor{.hint}.abits [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.add{.hint}.addend [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.inc{.hint}.u32 [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.dec{.hint}.u32 [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.min{.hint}.ordered [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.max{.hint}.ordered [a], b, policy:b64?hint
            red{.sem}{.scope}{.space}.add.noftz{.hint}.halves [a], b, policy:b64?hint
            red{.sem}{.scope}{.global}.add{.hint}.v32.f32 [a], b*, policy:b64?hint @8.1/90
            red{.sem}{.scope}{.global}.vop.noftz{.hint}.v16.half16 [a], b*, policy:b64?hint @8.1/90
            red{.sem}{.scope}{.global}.vop.noftz{.hint}.v32.half32 [a], b*, policy:b64?hint @8.1/90
            .sem = relaxed@6.0/70 release@6.0/70
            .space = global shared shared::cta@7.8/30 shared::cluster@7.8/90
            .abits = b32 b64
            .addend = u32 s32 u64 f32 f64@5.0/60
            .ordered = u32 u64 s32 s64
            .halves = f16@6.3/70 f16x2@6.2/60 bf16@7.8/90 bf16x2@7.8/90
            .vop = add min max
            .v32 = v2 v4
            .v16 = v2 v4 v8
            .half16 = f16 bf16
            .half32 = f16x2 bf16x2
            9.7.13.7
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.inc.u32 [a:shared], b, [m:shared] @8.1/90
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.dec.u32 [a:shared], b, [m:shared] @8.1/90
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.minmax.mtype [a:shared], b, [m:shared] @8.1/90
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.logic.b32 [a:shared], b, [m:shared] @8.1/90
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.atype [a:shared], b, [m:shared] @8.1/90
            red.async{.mmio}.release.scope{.global}.add.gtype [a:global], b @8.7/100
            .minmax = min max
            .mtype = u32 s32
            .logic = and or xor
            .atype = u32 s32 u64
            .gtype = u32 s32 u64 s64
            """;

    private MemoryForms() {}
}
