package dev.heddle.ptx.instruction;

/// Barriers, fences, votes, control flow, moves of matrices and the rest (PTX ISA 9.7.12, 9.7.13,
/// 9.7.14.5.15 to 9.7.14.5.17, 9.7.15.7, 9.7.19).
final class SynchronizationForms {

    static final String TEXT =
            """
            9.7.12.3 BRANCH
            bra{.uni}  target:label;
            9.7.12.4 INDEXED_BRANCH
            brx.idx{.uni}  a:u32, target:targets;  [6.0 sm_30]
            9.7.12.6 RETURN
            ret{.uni};
            9.7.12.7 EXIT
            exit;
            9.7.13.1 BARRIER
            barrier.sync{.aligned}  a:u32, b:u32?;  [6.0 sm_30]
            barrier.cta.sync{.aligned}  a:u32, b:u32?;  [7.8 sm_30]
            barrier.arrive{.aligned}  a:u32, b:u32;  [6.0 sm_30]
            barrier.cta.arrive{.aligned}  a:u32, b:u32;  [7.8 sm_30]
            barrier.red{.aligned}.popc.u32  d:u32, a:u32, b:u32?middle, c:pred;  [6.0 sm_30]
            barrier.cta.red{.aligned}.popc.u32  d:u32, a:u32, b:u32?middle, c:pred;  [7.8 sm_30]
            barrier.red{.aligned}.op.pred  d:pred, a:u32, b:u32?middle, c:pred;  [6.0 sm_30]
            barrier.cta.red{.aligned}.op.pred  d:pred, a:u32, b:u32?middle, c:pred;  [7.8 sm_30]
            bar.sync  a:u32, b:u32?;
            bar.cta.sync  a:u32, b:u32?;  [7.8 sm_30]
            bar.arrive  a:u32, b:u32;
            bar.cta.arrive  a:u32, b:u32;  [7.8 sm_30]
            bar.red.popc.u32  d:u32, a:u32, b:u32?middle, c:pred;
            bar.cta.red.popc.u32  d:u32, a:u32, b:u32?middle, c:pred;  [7.8 sm_30]
            bar.red.op.pred  d:pred, a:u32, b:u32?middle, c:pred;
            bar.cta.red.op.pred  d:pred, a:u32, b:u32?middle, c:pred;  [7.8 sm_30]
            .op = {.and, .or};
            9.7.13.2 WARP_BARRIER
            bar.warp.sync  m:u32;  [6.0 sm_30]
            9.7.13.3 CLUSTER_BARRIER
            barrier.cluster.arrive{.sem}{.aligned};  [7.8 sm_90]
            barrier.cluster.wait{.acquire [8.0 sm_90]}{.aligned};  [7.8 sm_90]
            .sem = {.release [8.0 sm_90], .relaxed [8.0 sm_90]};
            9.7.13.4 FENCE
            fence{.sem}.scope;  [6.0 sm_70]
            fence.acquire.sync_restrict::shared::cluster.cluster;  [8.6 sm_90]
            fence.release.sync_restrict::shared::cta.cluster;  [8.6 sm_90]
            fence.mbarrier_init.release.cluster;  [8.0 sm_90]
            membar.level;
            .sem = {.sc, .acq_rel, .acquire, .release};
            .level = {.cta, .gl, .sys};
            9.7.13.4 ASYNC_PROXY_FENCE
            fence.proxy.async{.where};  [8.0 sm_90]
            fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;  [8.6 sm_90]
            fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;  [8.6 sm_90]
            .where = {.global, .shared::cta, .shared::cluster};
            9.7.13.4 PROXY_FENCE
            fence.proxy.alias;  [7.5 sm_70]
            membar.proxy.alias;  [7.5 sm_60]
            9.7.13.4 TENSOR_MAP_PROXY_FENCE
            fence.proxy.tensormap::generic.release.scope;  [8.3 sm_90]
            fence.proxy.tensormap::generic.acquire.scope  [a:any], #n:128;  [8.3 sm_90]
            9.7.13.8 EXCHANGE_WITHOUT_SYNC
            vote.mode.pred  d:pred, a:pred;
            vote.ballot.b32  d, a:pred;
            .mode = {.all, .any, .uni};
            9.7.13.9 EXCHANGE
            vote.sync.mode.pred  d:pred, a:pred, m:u32;  [6.0 sm_30]
            vote.sync.ballot.b32  d, a:pred, m:u32;  [6.0 sm_30]
            .mode = {.all, .any, .uni};
            9.7.13.10 EXCHANGE
            match.any.sync.type  d:u32, a, m:u32;  [6.0 sm_70]
            match.all.sync.type  d:u32|p?:pred, a, m:u32;  [6.0 sm_70]
            .type = {.b32, .b64};
            9.7.13.11 EXCHANGE
            activemask.b32  d;  [6.2 sm_30]
            9.7.13.12 EXCHANGE
            redux.sync.arithmetic.type  d!, a!, m:u32;  [7.0 sm_80]
            redux.sync.logic.b32  d:u32, a:u32, m:u32;  [7.0 sm_80]
            redux.sync.extreme{.abs}{.NaN}.f32  d!, a!, m:u32;  [8.6 sm_100+]
            .arithmetic = {.add, .min, .max};
            .logic = {.and, .or, .xor};
            .extreme = {.min, .max};
            .type = {.u32, .s32};
            9.7.13.13 GRID_DEPENDENCY
            griddepcontrol.action;  [7.8 sm_90]
            .action = {.launch_dependents, .wait};
            9.7.13.14 ELECT
            elect.sync  d_:u32|p:pred, m:u32;  [8.0 sm_90]
            9.7.13.15 MEMORY_BARRIER
            mbarrier.init{.near}.b64  [a:shared], n:u32;  [7.0 sm_80]
            mbarrier.inval{.near}.b64  [a:shared];  [7.0 sm_80]
            mbarrier.expect_tx{.relaxed.bscope}{.far}.b64  [a:shared], n:u32;  [8.0 sm_90]
            mbarrier.complete_tx{.relaxed.bscope}{.far}.b64  [a:shared], n:u32;  [8.0 sm_90]
            mbarrier.arrive{.sem.bscope}{.far}.b64  d_:u64, [a:shared], n:u32?;  [7.0 sm_80]
            mbarrier.arrive.expect_tx{.sem.bscope}{.far}.b64  d_:u64, [a:shared], n:u32;  [8.0 sm_90]
            mbarrier.arrive.noComplete{.release.cta [8.0 sm_80]}{.near}.b64  d_:u64, [a:shared], n:u32;  [7.0 sm_80]
            mbarrier.arrive_drop{.sem.bscope}{.far}.b64  d_:u64, [a:shared], n:u32?;  [7.0 sm_80]
            mbarrier.arrive_drop.expect_tx{.sem.bscope}{.far}.b64  d_:u64, [a:shared], n:u32;  [8.0 sm_90]
            mbarrier.arrive_drop.noComplete{.release.cta [8.0 sm_80]}{.near}.b64  d_:u64, [a:shared], n:u32;  [7.0 sm_80]
            mbarrier.test_wait{.wsem.bscope}{.near}.b64  p:pred, [a:shared], s:u64;  [7.0 sm_80]
            mbarrier.test_wait.parity{.wsem.bscope}{.near}.b64  p:pred, [a:shared], s:u32;  [7.1 sm_80]
            mbarrier.try_wait{.wsem.bscope}{.near}.b64  p:pred, [a:shared], s:u64, t:u32?;  [7.8 sm_90]
            mbarrier.try_wait.parity{.wsem.bscope}{.near}.b64  p:pred, [a:shared], s:u32, t:u32?;  [7.8 sm_90]
            mbarrier.pending_count.b64  d:u32, s:u64;  [7.0 sm_80]
            .near = {.shared, .shared::cta [7.8 sm_80]};
            .far = {.shared, .shared::cta [7.8 sm_80], .shared::cluster [8.0 sm_90]};
            .sem = {.release [8.0 sm_80], .relaxed [8.6 sm_90]};
            .wsem = {.acquire [8.0 sm_80], .relaxed [8.6 sm_90]};
            .bscope = {.cta, .cluster [7.8 sm_90]};
            9.7.13.17 CLUSTER_LAUNCH_CANCEL
            clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes{.multicast::cluster::all [8.6 sm_100+ or sm_110+ or sm_120+]}.b128  [a:shared], [m:shared];  [8.6 sm_100]
            9.7.13.18 CLUSTER_LAUNCH_QUERY
            clusterlaunchcontrol.query_cancel.is_canceled.pred.b128  p:pred, a:b128;  [8.6 sm_100]
            clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128  d:any, a:b128;  [8.6 sm_100]
            clusterlaunchcontrol.query_cancel.axis.b32.b128  d:b32, a:b128;  [8.6 sm_100]
            .axis = {.get_first_ctaid::x, .get_first_ctaid::y, .get_first_ctaid::z};
            9.7.14.5.15 LOAD_MATRIX
            ldmatrix.sync.aligned.m8n8.count{.trans}{.near}.b16  d*:b32, [a:shared];  [6.5 sm_75]
            ldmatrix.sync.aligned.m16n16.trans.count2{.near}.b8  d*:b32, [a:shared];  [8.6 sm_100+ or sm_110+ or sm_120+]
            ldmatrix.sync.aligned.m16n16.trans.count2{.near}.b8x16.sub  d*:b32, [a:shared];  [8.6 sm_100+ or sm_110+ or sm_120+]
            ldmatrix.sync.aligned.m8n16.count{.near}.b8x16.sub  d*:b32, [a:shared];  [8.6 sm_100+ or sm_110+ or sm_120+]
            .count = {.x1, .x2, .x4};
            .count2 = {.x1, .x2};
            .near = {.shared, .shared::cta [7.8 sm_80]};
            .sub = {.b6x16_p32, .b4x16_p64};
            9.7.14.5.16 STORE_MATRIX
            stmatrix.sync.aligned.m8n8.count{.trans}{.near}.b16  [a:shared], r*:b32;  [7.8 sm_90]
            stmatrix.sync.aligned.m16n8.count.trans{.near}.b8  [a:shared], r*:b32;  [8.6 sm_100+ or sm_110+ or sm_120+]
            .count = {.x1, .x2, .x4};
            .near = {.shared, .shared::cta [7.8 sm_80]};
            9.7.14.5.17 EXCHANGE
            movmatrix.sync.aligned.m8n8.trans.b16  d:b32, a:b32;  [7.8 sm_75]
            9.7.15.7.1 WARPGROUP_FENCE
            wgmma.fence.sync.aligned;  [8.0 =sm_90a]
            9.7.15.7.2 WARPGROUP_COMMIT
            wgmma.commit_group.sync.aligned;  [8.0 =sm_90a]
            9.7.15.7.3 WARPGROUP_WAIT
            wgmma.wait_group.sync.aligned  #n:u64;  [8.0 =sm_90a]
            9.7.19.1 BREAKPOINT
            brkpt;
            9.7.19.2 SLEEP
            nanosleep.u32  t:u32;  [6.3 sm_70]
            9.7.19.3 PERFORMANCE_EVENT
            pmevent  #a:u32;
            pmevent.mask  #a:u32;
            9.7.19.4 TRAP
            trap;
            9.7.19.5 SET_REGISTERS
            setmaxnreg.inc.sync.aligned.u32  #n:u32;  [8.0 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            setmaxnreg.dec.sync.aligned.u32  #n:u32;  [8.0 =sm_90a or sm_100+ or sm_110+ or sm_120+]
            """;

    private SynchronizationForms() {}
}
