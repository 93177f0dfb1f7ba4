package dev.heddle.ptx.instruction;

/// Loads, stores, asynchronous copies and atomics (PTX ISA 9.7.9.8 to 9.7.9.28, 9.7.13.5 to
/// 9.7.13.7, 9.7.17).
final class MemoryForms {

    static final String LOADS =
            """
            9.7.9.8 LOAD
            ld{.weak [6.0 sm_70]}{.ss}{.cop}{.l1 [7.4 sm_70]}{.l2 [8.8 sm_100]}{.hint [7.4 sm_80]}{.fetch}{.vec}.type  ~d*, [a], policy:u64?hint;
            ld.volatile{.ss}{.fetch}{.vec}.type  ~d*, [a];
            ld.order.scope{.ss}{.l1 [7.4 sm_70]}{.l2 [8.8 sm_100]}{.hint [7.4 sm_80]}{.fetch}{.vec}.type  ~d*, [a], policy:u64?hint;  [6.0 sm_70]
            ld.mmio.relaxed.sys{.global}.type  ~d, [a];  [8.2 sm_70]
            .ss = {.const, .global, .local, .param, .param::entry [8.3], .param::func [8.3], .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90]};
            .cop = {.ca, .cg, .cs, .lu, .cv};
            .order = {.relaxed, .acquire};
            9.7.9.9 LOAD
            ld.global{.cop}.nc{.l1 [7.4 sm_70]}{.l2 [8.8 sm_100]}{.hint [7.4 sm_80]}{.fetch}{.vec}.type  ~d*, [a], policy:u64?hint;  [3.1 sm_32]
            .cop = {.ca, .cg, .cs};
            9.7.9.10 LOAD
            ldu{.global}{.vec}.type  ~d*, [a];
            .vec = {.v2, .v4};
            9.7.9.11 STORE
            st{.weak [6.0 sm_70]}{.ss}{.cop}{.l1 [7.4 sm_70]}{.l2 [8.8 sm_100]}{.hint [7.4 sm_80]}{.vec}.type  [a], ~b*, policy:u64?hint;
            st.volatile{.ss}{.vec}.type  [a], ~b*;
            st.order.scope{.ss}{.l1 [7.4 sm_70]}{.l2 [8.8 sm_100]}{.hint [7.4 sm_80]}{.vec}.type  [a], ~b*, policy:u64?hint;  [6.0 sm_70]
            st.mmio.relaxed.sys{.global}.type  [a], ~b;  [8.2 sm_70]
            .ss = {.global, .local, .param, .param::func [8.3], .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90]};
            .cop = {.wb, .cg, .cs, .wt};
            .order = {.relaxed, .release};
            9.7.9.12 ASYNC_STORE
            st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.atype  [a:shared], b*, [m:shared];  [8.1 sm_90]
            .vec = {.v2, .v4};
            st.async{.mmio}.release.gscope{.global}.mtype  [a:global], b;  [8.7 sm_100]
            .gscope = {.gpu, .sys};
            .mtype = {.b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64};
            .atype = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64};
            9.7.9.13 WRITE_MEMORY
            st.bulk{.weak}{.shared::cta}  [a:shared], n:any, #z:0;  [8.6 sm_100]
            9.7.9.14 MULTIMEM
            multimem.ld_reduce{.weak}{.global}.minmax.itype  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.add.atype  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.logic.bits  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.add{.acc::f32 [8.2 sm_90]}{.vec}.x2  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.minmax{.vec}.x2  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.add{.acc::f32 [8.2 sm_90]}.hvec.half16  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.minmax.hvec.half16  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.add.fvec.f32  d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce{.weak}{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}{.f4vec}.f8x4  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce{.weak}{.global}.minmax{.f4vec}.f8x4  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce{.weak}{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}.hvec.f8x2  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce{.weak}{.global}.minmax.hvec.f8x2  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce{.weak}{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}.f8vec.f8  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce{.weak}{.global}.minmax.f8vec.f8  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.minmax.itype  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.add.atype  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.logic.bits  d, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.add{.acc::f32 [8.2 sm_90]}{.vec}.x2  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.minmax{.vec}.x2  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.add{.acc::f32 [8.2 sm_90]}.hvec.half16  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.minmax.hvec.half16  %d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.add.fvec.f32  d*, [a:global];  [8.1 sm_90]
            multimem.ld_reduce.sem.scope{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}{.f4vec}.f8x4  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.minmax{.f4vec}.f8x4  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}.hvec.f8x2  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.minmax.hvec.f8x2  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.add{.acc::f16 [8.6 sm_100+ or sm_110+ or sm_120+]}.f8vec.f8  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.ld_reduce.sem.scope{.global}.minmax.f8vec.f8  %d*, [a:global];  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st{.weak}{.global}.plain  [a:global], b;  [8.1 sm_90]
            multimem.st{.weak}{.global}{.vec}.x2  [a:global], %b*;  [8.1 sm_90]
            multimem.st{.weak}{.global}.hvec.half16  [a:global], %b*;  [8.1 sm_90]
            multimem.st{.weak}{.global}.fvec.f32  [a:global], b*;  [8.1 sm_90]
            multimem.st{.weak}{.global}{.f4vec}.f8x4  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st{.weak}{.global}.hvec.f8x2  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st{.weak}{.global}.f8vec.f8  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st.ssem.scope{.global}.plain  [a:global], b;  [8.1 sm_90]
            multimem.st.ssem.scope{.global}{.vec}.x2  [a:global], %b*;  [8.1 sm_90]
            multimem.st.ssem.scope{.global}.hvec.half16  [a:global], %b*;  [8.1 sm_90]
            multimem.st.ssem.scope{.global}.fvec.f32  [a:global], b*;  [8.1 sm_90]
            multimem.st.ssem.scope{.global}{.f4vec}.f8x4  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st.ssem.scope{.global}.hvec.f8x2  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.st.ssem.scope{.global}.f8vec.f8  [a:global], %b*;  [8.6 sm_100+ or sm_110+ or sm_120+]
            multimem.red{.rsem.scope}{.global}.minmax.itype  [a:global], b;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.add.atype  [a:global], b;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.logic.bits  [a:global], b;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.add.x2  [a:global], b;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.arith.fvec.x2  [a:global], b*;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.arith.hvec.half16  [a:global], b*;  [8.1 sm_90]
            multimem.red{.rsem.scope}{.global}.add.fvec.f32  [a:global], b*;  [8.1 sm_90]
            .sem = {.relaxed, .acquire};
            .ssem = {.relaxed, .release};
            .rsem = {.relaxed, .release};
            .minmax = {.min, .max};
            .arith = {.min, .max, .add};
            .logic = {.and, .or, .xor};
            .itype = {.u32, .u64, .s32, .s64};
            .atype = {.u32, .u64, .s32, .f32, .f64};
            .bits = {.b32, .b64};
            .plain = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64};
            .x2 = {.f16x2, .bf16x2};
            .half16 = {.f16, .bf16};
            .f8 = {.e5m2, .e4m3};
            .f8x2 = {.e5m2x2, .e4m3x2};
            .f8x4 = {.e5m2x4, .e4m3x4};
            .vec = {.v2, .v4};
            .fvec = {.v2, .v4};
            .f4vec = {.v2, .v4};
            .hvec = {.v2, .v4, .v8};
            .f8vec = {.v4, .v8};
            9.7.9.15 PREFETCH
            prefetch{.space}.level  [a];
            prefetch{.global}.priority  [a];  [7.4 sm_80]
            prefetch{.tspace}.tensormap  [a];  [8.0 sm_90]
            prefetchu.L1  [a:global];
            .space = {.global, .local};
            .tspace = {.const, .param};
            .level = {.L1, .L2};
            .priority = {.L2::evict_last, .L2::evict_normal};
            9.7.9.16 PREFETCH
            applypriority{.global}.L2::evict_normal  [a:global], #n:128;  [7.4 sm_80]
            9.7.9.17 WRITE_MEMORY
            discard{.global}.L2  [a:global], #n:128;  [7.4 sm_80]
            9.7.9.18 CREATE_POLICY
            createpolicy.range{.global}.first{.second}.b64  d:u64, [a:global], n:u32, m:u32;  [7.4 sm_80]
            createpolicy.fractional.first{.second}.b64  d:u64, f:f32?;  [7.4 sm_80]
            createpolicy.cvt.L2.b64  d:u64, a:u64;  [7.4 sm_80]
            .first = {.L2::evict_last, .L2::evict_normal, .L2::evict_first, .L2::evict_unchanged};
            .second = {.L2::evict_first, .L2::evict_unchanged};
            """;

    static final String COPIES =
            """
            9.7.9.25.3.1 ASYNC_COPY
            cp.async.ca.cshared.global{.hint [7.4 sm_80]}{.fetch}  [d:shared], [s:global], #n:u32, k:source?, policy:u64?hint;  [7.0 sm_80]
            cp.async.cg.cshared.global{.hint [7.4 sm_80]}{.fetch}  [d:shared], [s:global], #n:u32, k:source?, policy:u64?hint;  [7.0 sm_80]
            .cshared = {.shared, .shared::cta [7.8 sm_80]};
            9.7.9.25.3.2 ASYNC_COMMIT
            cp.async.commit_group;  [7.0 sm_80]
            9.7.9.25.3.3 ASYNC_WAIT
            cp.async.wait_group  #n:u32;  [7.0 sm_80]
            cp.async.wait_all;  [7.0 sm_80]
            9.7.13.15.14 ASYNC_ARRIVE
            cp.async.mbarrier.arrive{.noinc}{.cshared}.b64  [a:shared];  [7.0 sm_80]
            .cshared = {.shared, .shared::cta [7.8 sm_80]};
            9.7.9.25.4.1 BULK_COPY
            cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{.hint [7.4 sm_80]}  [d:shared], [s:global], n:u32, [m:shared], policy:u64?hint;  [8.6 sm_90]
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{.multicast::cluster}{.hint [7.4 sm_80]}  [d:shared], [s:global], n:u32, [m:shared], c:u16?multicast::cluster, policy:u64?hint;  [8.0 sm_90]
            cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes  [d:shared], [s:shared], n:u32, [m:shared];  [8.0 sm_90]
            cp.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}{.cp_mask [8.6 sm_100]}  [d:global], [s:shared], n:u32, policy:u64?hint, k:u16?cp_mask;  [8.0 sm_90]
            9.7.9.25.4.2 BULK_REDUCE
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.logic.b32  [d:shared], [s:shared], n:u32, [m:shared];  [8.0 sm_90]
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.uadd  [d:shared], [s:shared], n:u32, [m:shared];  [8.0 sm_90]
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.minmax.word  [d:shared], [s:shared], n:u32, [m:shared];  [8.0 sm_90]
            cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.incdec.u32  [d:shared], [s:shared], n:u32, [m:shared];  [8.0 sm_90]
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}.logic.bits  [d:global], [s:shared], n:u32, policy:u64?hint;  [8.0 sm_90]
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}.add.gadd  [d:global], [s:shared], n:u32, policy:u64?hint;  [8.0 sm_90]
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}.incdec.u32  [d:global], [s:shared], n:u32, policy:u64?hint;  [8.0 sm_90]
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}.minmax.ordered  [d:global], [s:shared], n:u32, policy:u64?hint;  [8.0 sm_90]
            cp.reduce.async.bulk.global.shared::cta.bulk_group{.hint [7.4 sm_80]}.add.noftz.halves  [d:global], [s:shared], n:u32, policy:u64?hint;  [8.0 sm_90]
            .logic = {.and, .or, .xor};
            .minmax = {.min, .max};
            .incdec = {.inc, .dec};
            .uadd = {.u32, .s32, .u64};
            .word = {.u32, .s32};
            .bits = {.b32, .b64};
            .gadd = {.u32, .s32, .u64, .f32, .f64};
            .ordered = {.u32, .s32, .u64, .s64, .f16, .bf16};
            .halves = {.f16, .bf16};
            9.7.9.25.4.3 BULK_PREFETCH
            cp.async.bulk.prefetch.L2.global{.hint [7.4 sm_80]}  [s:global], n:u32, policy:u64?hint;  [8.0 sm_90]
            9.7.9.27.1.2 TENSOR_COPY
            cp.async.bulk.tensor.dim.shared::cta.global{.load}.mbarrier::complete_tx::bytes{.group}{.hint [7.4 sm_80]}  [d:shared], [t:tensor], [m:shared], i:any?offsets, policy:u64?hint;  [8.6 sm_90]
            cp.async.bulk.tensor.dim.shared::cluster.global{.load}.mbarrier::complete_tx::bytes{.multicast::cluster}{.group}{.hint [7.4 sm_80]}  [d:shared], [t:tensor], [m:shared], i:any?offsets, c:u16?multicast::cluster, policy:u64?hint;  [8.0 sm_90]
            cp.async.bulk.tensor.dim.global.shared::cta{.store}.bulk_group{.hint [7.4 sm_80]}  [t:tensor], [s:shared], policy:u64?hint;  [8.0 sm_90]
            cp.reduce.async.bulk.tensor.dim.global.shared::cta.op{.store}.bulk_group{.hint [7.4 sm_80]}  [t:tensor], [s:shared], policy:u64?hint;  [8.0 sm_90]
            cp.async.bulk.prefetch.tensor.dim.L2.global{.load}{.hint [7.4 sm_80]}  [t:tensor], i:any?offsets, policy:u64?hint;  [8.0 sm_90]
            .dim = {.1d, .2d, .3d, .4d, .5d};
            .load = {.tile, .im2col, .tile::gather4 [8.6 sm_100], .im2col::w [8.6 sm_100], .im2col::w::128 [8.6 sm_100+ or sm_110+]};
            .group = {.cta_group::1 [8.6 sm_100+ or sm_110+], .cta_group::2 [8.6 sm_100+ or sm_110+]};
            .store = {.tile, .tile::scatter4 [8.6 sm_100+ or sm_110+], .im2col_no_offs};
            .op = {.add, .min, .max, .inc, .dec, .and, .or, .xor};
            9.7.9.27.2.1 BULK_COMMIT
            cp.async.bulk.commit_group;  [8.0 sm_90]
            9.7.9.27.2.2 BULK_WAIT
            cp.async.bulk.wait_group{.read}  #n:u32;  [8.0 sm_90]
            9.7.9.28 UPDATE_MEMORY
            tensormap.replace.tile.global_address{.rspace}.b1024.b64  [a], v:b64;  [8.3 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            tensormap.replace.tile.rank{.rspace}.b1024.b32  [a], v:b32;  [8.3 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            tensormap.replace.tile.kind{.rspace}.b1024.b32  [a], #v:u32;  [8.3 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            tensormap.replace.tile.global_stride{.rspace}.b1024.b64  [a], #o:u32, v:b64;  [8.3 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            tensormap.replace.tile.indexed{.rspace}.b1024.b32  [a], #o:u32, v:u32;  [8.3 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            .kind = {.elemtype, .interleave_layout, .swizzle_mode, .fill_mode, .swizzle_atomicity [8.6 sm_100+ or sm_110+ or sm_120+]};
            .indexed = {.box_dim, .global_dim, .element_stride};
            .rspace = {.global, .shared::cta};
            9.7.13.16 TENSOR_MAP_FENCE
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.scope.sync.aligned  [d:global], [s:shared], #n:128;  [8.3 sm_90]
            9.7.17.1 STACK_SAVE
            stacksave.size  d;  [7.3 sm_52]
            .size = {.u32, .u64};
            9.7.17.2 STACK_RESTORE
            stackrestore.size  a;  [7.3 sm_52]
            .size = {.u32, .u64};
            9.7.17.3 STACK_ALLOCATE
            alloca.size  d, n, #k:u32?;  [7.3 sm_52]
            .size = {.u32, .u64};
            """;

    static final String ATOMICS =
            """
            9.7.13.5 ATOMIC
            atom{.sem}{.scope}{.space}.and{.hint [7.4 sm_80]}.abits  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.or{.hint [7.4 sm_80]}.abits  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.xor{.hint [7.4 sm_80]}.abits  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.exch{.hint [7.4 sm_80]}.xbits  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.cas.cbits  d_, [a], b, c;
            atom{.sem}{.scope}{.space}.add{.hint [7.4 sm_80]}.addend  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.inc{.hint [7.4 sm_80]}.u32  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.dec{.hint [7.4 sm_80]}.u32  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.min{.hint [7.4 sm_80]}.ordered  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.max{.hint [7.4 sm_80]}.ordered  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.space}.add.noftz{.hint [7.4 sm_80]}.halves  d_, [a], b, policy:u64?hint;
            atom{.sem}{.scope}{.global}.add{.hint [7.4 sm_80]}.v32.f32  d_*, [a], b*, policy:u64?hint;  [8.1 sm_90]
            atom{.sem}{.scope}{.global}.vop.noftz{.hint [7.4 sm_80]}.v16.half16  d_*, [a], b*, policy:u64?hint;  [8.1 sm_90]
            atom{.sem}{.scope}{.global}.vop.noftz{.hint [7.4 sm_80]}.v32.half32  d_*, [a], b*, policy:u64?hint;  [8.1 sm_90]
            .sem = {.relaxed [6.0 sm_70], .acquire [6.0 sm_70], .release [6.0 sm_70], .acq_rel [6.0 sm_70]};
            .space = {.global, .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90]};
            .abits = {.b32, .b64};
            .xbits = {.b32, .b64, .b128 [8.3 sm_90]};
            .cbits = {.b16 [6.3 sm_70], .b32, .b64, .b128 [8.3 sm_90]};
            .addend = {.u32, .s32, .u64, .f32, .f64 [5.0 sm_60]};
            .ordered = {.u32, .u64, .s32, .s64};
            .halves = {.f16 [6.3 sm_70], .f16x2 [6.2 sm_60], .bf16 [7.8 sm_90], .bf16x2 [7.8 sm_90]};
            .vop = {.add, .min, .max};
            .v32 = {.v2, .v4};
            .v16 = {.v2, .v4, .v8};
            .half16 = {.f16, .bf16};
            .half32 = {.f16x2, .bf16x2};
            9.7.13.6 REDUCE
            red{.sem}{.scope}{.space}.and{.hint [7.4 sm_80]}.abits  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.or{.hint [7.4 sm_80]}.abits  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.xor{.hint [7.4 sm_80]}.abits  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.add{.hint [7.4 sm_80]}.addend  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.inc{.hint [7.4 sm_80]}.u32  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.dec{.hint [7.4 sm_80]}.u32  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.min{.hint [7.4 sm_80]}.ordered  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.max{.hint [7.4 sm_80]}.ordered  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.space}.add.noftz{.hint [7.4 sm_80]}.halves  [a], b, policy:u64?hint;
            red{.sem}{.scope}{.global}.add{.hint [7.4 sm_80]}.v32.f32  [a], b*, policy:u64?hint;  [8.1 sm_90]
            red{.sem}{.scope}{.global}.vop.noftz{.hint [7.4 sm_80]}.v16.half16  [a], b*, policy:u64?hint;  [8.1 sm_90]
            red{.sem}{.scope}{.global}.vop.noftz{.hint [7.4 sm_80]}.v32.half32  [a], b*, policy:u64?hint;  [8.1 sm_90]
            .sem = {.relaxed [6.0 sm_70], .release [6.0 sm_70]};
            .space = {.global, .shared, .shared::cta [7.8 sm_30], .shared::cluster [7.8 sm_90]};
            .abits = {.b32, .b64};
            .addend = {.u32, .s32, .u64, .f32, .f64 [5.0 sm_60]};
            .ordered = {.u32, .u64, .s32, .s64};
            .halves = {.f16 [6.3 sm_70], .f16x2 [6.2 sm_60], .bf16 [7.8 sm_90], .bf16x2 [7.8 sm_90]};
            .vop = {.add, .min, .max};
            .v32 = {.v2, .v4};
            .v16 = {.v2, .v4, .v8};
            .half16 = {.f16, .bf16};
            .half32 = {.f16x2, .bf16x2};
            9.7.13.7 ASYNC_REDUCE
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.inc.u32  [a:shared], b, [m:shared]?;  [8.1 sm_90]
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.dec.u32  [a:shared], b, [m:shared]?;  [8.1 sm_90]
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.minmax.mtype  [a:shared], b, [m:shared]?;  [8.1 sm_90]
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.logic.b32  [a:shared], b, [m:shared]?;  [8.1 sm_90]
            red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.add.atype  [a:shared], b, [m:shared]?;  [8.1 sm_90]
            red.async{.mmio}.release.gscope{.global}.add.gtype  [a:global], b;  [8.7 sm_100]
            .gscope = {.gpu, .sys};
            .minmax = {.min, .max};
            .mtype = {.u32, .s32};
            .logic = {.and, .or, .xor};
            .atype = {.u32, .s32, .u64};
            .gtype = {.u32, .s32, .u64, .s64};
            """;

    private MemoryForms() {}
}
