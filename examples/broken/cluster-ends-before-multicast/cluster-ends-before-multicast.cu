// Broken: block 0 loads a stage ahead for both blocks, and block 1 ends while it may be on its way: the last stage is never used.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_ends_before_multicast(int *out, const int *in) {
    __shared__ __align__(128) int stages[2][64];
    __shared__ __align__(8) unsigned long long full[2];
    auto cluster = cooperative_groups::this_cluster();
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int s = 0; s < 2; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" :: "r"(place(&full[s])) : "memory");
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(place(&full[s])) : "memory");
        }
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && t == 0) {
        for (int s = 0; s < 2; s++) {
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, [%2], %3;" :: "r"(place(stages[s])), "l"(in + 64 * s), "r"(place(&full[s])), "h"(static_cast<short>(3)) : "memory");
        }
    }
    wait(place(&full[0]), 0);
    sum += stages[0][63 - t];
    out[64 * blockIdx.x + t] = sum;
    // the wait for stage 1 belongs here
    cluster.sync();
}
