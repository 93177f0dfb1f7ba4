// A histogram that four blocks of a cluster keep together in their shared memories, addressed with mapa and atomics across the cluster.
// targets: compute_90a compute_120a
constexpr int BLOCKS = 4, BINS = 64;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

extern "C" __global__ void __cluster_dims__(BLOCKS) cluster_histogram(const unsigned char *bytes, unsigned *counts, int length) {
    __shared__ unsigned own[BINS];
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x < BINS) own[threadIdx.x] = 0;
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    for (int i = rank * blockDim.x + threadIdx.x; i < length; i += BLOCKS * blockDim.x) {
        unsigned byte = bytes[i], remote;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(&own[byte % BINS])), "r"(byte / BINS));
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(remote) : "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x < BINS) counts[rank * BINS + threadIdx.x] = own[threadIdx.x];
}
