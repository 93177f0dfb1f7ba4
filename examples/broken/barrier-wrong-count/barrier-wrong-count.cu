// Broken: the barrier counts one thread more than arrive.
// targets: compute_80
// flags: -lineinfo
#include <cuda/barrier>
extern "C" __global__ void barrier_wrong_count(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int tile[64];
    int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x + 1);
    __syncthreads();
    tile[t] = in[t];
    barrier.arrive_and_wait();
    out[t] = tile[63 - t];
}
