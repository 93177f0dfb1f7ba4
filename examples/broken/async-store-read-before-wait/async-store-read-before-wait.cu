// Broken: the block reads what st.async of the other block writes, behind a barrier of the cluster, which asynchronous operations do not wait for.
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
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.acquire.cluster.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) async_store_read_before_wait(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    unsigned other = 1 - cluster.block_rank();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(place(&barrier)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared.b64 _, [%0], 256;" :: "r"(place(&barrier)) : "memory");
    }
    cluster.sync();
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" :: "r"(remote(&own[threadIdx.x], other)), "r"(threadIdx.x), "r"(remote(&barrier, other)) : "memory");
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
    cluster.sync();
}
