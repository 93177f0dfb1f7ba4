// Repaired: it waits for the mbarrier that counts the bytes, used or not.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static unsigned remote(const void *p, unsigned rank) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(place(p)), "r"(rank));
    return there;
}
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_ends_before_async_store(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(place(&barrier)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared.b64 _, [%0], 256;" :: "r"(place(&barrier)) : "memory");
    }
    cluster.sync();
    if (cluster.block_rank() == 0) {
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" :: "r"(remote(&own[t], 1)), "r"(t), "r"(remote(&barrier, 1)) : "memory");
    } else if (out[64] != 0) {  // somebody wants them
        wait(place(&barrier), 0);
        out[t] = own[63 - t];
    }
    if (cluster.block_rank() == 1) wait(place(&barrier), 0);
    cluster.sync();
}
