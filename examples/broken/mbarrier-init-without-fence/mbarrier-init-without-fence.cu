// Broken: a relaxed arrival at the barrier of the cluster does not make the mbarrier known to the other block.
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
extern "C" __global__ void __cluster_dims__(2, 1, 1) mbarrier_init_without_fence(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(place(&barrier)) : "memory");
    }
    __syncthreads();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(remote(&barrier, 1 - cluster.block_rank())) : "memory");
    wait(place(&barrier), 0);
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
    cluster.sync();
}
