package dev.heddle.ptx.instruction;

import java.util.List;
import java.util.Set;

/// Opcodes whose first qualifiers the assembler reads as part of the word: `mul.wide` is one, and
/// `mul.s32.wide` is none.
public final class OpcodePrefixes {

    private static final Set<String> ALL =
            Set.of(
                    ("mul.lo mul.hi mul.wide mad.lo mad.hi mad.wide mul24.lo mul24.hi mad24.lo"
                         + " mad24.hi madc.lo madc.hi shf.l shf.r dp2a.lo dp2a.hi cvta.to div.full"
                         + " brx.idx cvt.pack cp.async cp.async.commit_group cp.async.wait_group"
                         + " cp.async.wait_all cp.async.mbarrier.arrive cp.async.bulk"
                         + " cp.async.bulk.commit_group cp.async.bulk.wait_group"
                         + " cp.async.bulk.prefetch cp.async.bulk.tensor"
                         + " cp.async.bulk.prefetch.tensor cp.reduce.async.bulk"
                         + " cp.reduce.async.bulk.tensor st.async red.async createpolicy.range"
                         + " createpolicy.fractional createpolicy.cvt tensormap.replace"
                         + " tensormap.cp_fenceproxy fence.proxy membar.proxy mbarrier.init"
                         + " mbarrier.inval mbarrier.expect_tx mbarrier.complete_tx mbarrier.arrive"
                         + " mbarrier.arrive.expect_tx mbarrier.arrive_drop"
                         + " mbarrier.arrive_drop.expect_tx mbarrier.test_wait"
                         + " mbarrier.test_wait.parity mbarrier.try_wait mbarrier.try_wait.parity"
                         + " mbarrier.pending_count wgmma.fence wgmma.commit_group wgmma.wait_group"
                         + " wgmma.mma_async bar.arrive bar.red bar.cta bar.cta.arrive bar.cta.red"
                         + " bar.warp barrier.arrive barrier.red barrier.cta barrier.cta.arrive"
                         + " barrier.cta.red barrier.cluster.arrive barrier.cluster.wait"
                         + " clusterlaunchcontrol.try_cancel.async"
                         + " clusterlaunchcontrol.query_cancel setmaxnreg.inc setmaxnreg.dec"
                         + " multimem.ld_reduce multimem.st multimem.red multimem.cp.async.bulk"
                         + " multimem.cp.reduce.async.bulk wmma.load.a wmma.load.b wmma.load.c"
                         + " wmma.store.d wmma.mma tex.base tex.level tex.grad txq.level suld.b"
                         + " sust.b sust.p sured.b sured.p")
                            .split(" ", -1));

    private OpcodePrefixes() {}

    /// How many of the qualifiers belong to the head.
    public static int count(String opcode, List<String> qualifiers) {
        int found = 0;
        StringBuilder head = new StringBuilder(opcode);
        for (int i = 0; i < Math.min(4, qualifiers.size()); i++) {
            head.append('.').append(qualifiers.get(i));
            if (ALL.contains(head.toString())) {
                found = i + 1;
            }
        }
        return found;
    }
}
