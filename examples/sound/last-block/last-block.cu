// The block that is last to count itself adds up what all have left: a fence before, an atomic between, a flag in shared memory.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void last_block(const int *in, int *partial, unsigned *count, int *out) {
    __shared__ bool last;
    int sum = in[blockIdx.x * 64 + threadIdx.x] + threadIdx.x;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0) partial[2 * blockIdx.x + threadIdx.x / 32] = sum;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x < 2 * gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
