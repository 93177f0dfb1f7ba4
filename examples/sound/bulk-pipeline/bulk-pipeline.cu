// Bulk copies by one thread into two stages: expect_tx, waits by parity, reuse behind an empty barrier, a bulk store at the end.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }"
                 :: "r"(barrier), "r"(parity) : "memory");
}
extern "C" __global__ void bulk_pipeline(const int *in, int *out, int rounds) {
    __shared__ __align__(128) int stage[2][64];
    __shared__ __align__(128) int result[64];
    __shared__ __align__(8) unsigned long long full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < 2; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(place(&full[s])) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(place(&empty[s])) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
    }
    __syncthreads();
    auto load = [&](int round) {
        int s = round % 2;
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(place(&full[s])) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                     :: "r"(place(stage[s])), "l"(in + round * 64), "r"(place(&full[s])) : "memory");
    };
    if (t == 0) load(0);
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        int s = round % 2;
        if (t == 0 && round + 1 < rounds) {
            if (round > 0) wait(place(&empty[1 - s]), ((round - 1) / 2) & 1);
            load(round + 1);
        }
        wait(place(&full[s]), round / 2 & 1);
        sum += stage[s][63 - t];
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(place(&empty[s])) : "memory");
    }
    result[t] = sum;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" :: "l"(out), "r"(place(result)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
        result[0] = 0;
    }
}
