// A histogram whose bins are spread over a cluster, added to by red.async: the owner of a bin knows from a first pass how many bytes
// will come from other blocks and waits for them on an mbarrier; nobody needs a barrier of the cluster between adding and reading.
// red.async is for other blocks alone (PTX ISA 9.7.13.7): what a block has for its own bins it adds up apart, by ordinary atomics.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int BLOCKS = 4, BINS = 64;   // bins a block

extern "C" __global__ void __cluster_dims__(BLOCKS) red_async_histogram(const unsigned char *bytes, unsigned *counts, unsigned *extremes, int length) {
    __shared__ unsigned bins[BINS], expected, smallest, together;               // of other blocks
    __shared__ unsigned ownBins[BINS], ownSmallest, ownTogether;
    __shared__ Barrier done;
    unsigned rank = cluster_rank();
    if (threadIdx.x < BINS) bins[threadIdx.x] = ownBins[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        expected = 0, smallest = ownSmallest = ~0u, together = ownTogether = 0;
        initialise(&done, 1);
        publish_barriers();
    }
    cluster_sync();
    for (int i = rank * blockDim.x + threadIdx.x; i < length; i += BLOCKS * blockDim.x) {
        unsigned owner = bytes[i] / BINS;
        if (owner == rank) continue;
        asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 12;" ::"r"(in_block(&expected, owner)) : "memory");
    }
    cluster_sync();
    if (threadIdx.x == 0) arrive_expecting(&done, expected);
    cluster_sync();
    for (int i = rank * blockDim.x + threadIdx.x; i < length; i += BLOCKS * blockDim.x) {
        unsigned owner = bytes[i] / BINS, barrier = in_block(&done, owner);
        if (owner == rank) {
            atomicInc(&ownBins[bytes[i] % BINS], 1u << 20);
            atomicMin(&ownSmallest, i);
            atomicXor(&ownTogether, i * 0x9e3779b9u);
            continue;
        }
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0], %1, [%2];"
                     ::"r"(in_block(&bins[bytes[i] % BINS], owner)), "r"(1u << 20), "r"(barrier) : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [%0], %1, [%2];"
                     ::"r"(in_block(&smallest, owner)), "r"(i), "r"(barrier) : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0], %1, [%2];"
                     ::"r"(in_block(&together, owner)), "r"(i * 0x9e3779b9u), "r"(barrier) : "memory");
    }
    wait_for_cluster(&done, 0);
    __syncthreads();
    if (threadIdx.x < BINS) counts[rank * BINS + threadIdx.x] = bins[threadIdx.x] + ownBins[threadIdx.x];
    if (threadIdx.x == 0) extremes[rank * 2] = min(smallest, ownSmallest), extremes[rank * 2 + 1] = together ^ ownTogether;
    cluster_sync();
}
