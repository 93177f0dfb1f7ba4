// Structures are copied whole, 16 bytes at once, with padding that nobody wrote: registers, global memory, cp.async, another block.
// targets: compute_80
// flags: -lineinfo
#include <cuda_pipeline.h>

struct alignas(16) Item {
    double value;
    int key;
};

extern "C" __global__ void structures_copied(const double *in, Item *items, Item *sorted, unsigned *done, double *out) {
    __shared__ Item tile[64];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    Item item;
    item.value = in[i];
    item.key = 63 - t;
    items[i] = item;
    __syncthreads();
    __pipeline_memcpy_async(&tile[t], &items[blockIdx.x * 64 + 63 - t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    reinterpret_cast<uint4 *>(sorted)[i] = reinterpret_cast<const uint4 *>(tile)[t];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(done, 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    double sum = 0;
    for (int block = 0; block < gridDim.x; block++) {
        uint4 words = reinterpret_cast<const uint4 *>(sorted)[block * 64 + t];
        const Item &copy = reinterpret_cast<const Item &>(words);
        sum += copy.value * copy.key;
    }
    out[t] = sum;
}
