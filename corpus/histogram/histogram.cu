// Byte histogram: each block counts in shared memory with atomics, then adds its counts to the global ones.
// targets: compute_75 compute_80 compute_90a compute_120a
// flags: -lineinfo
constexpr int BINS = 256;

extern "C" __global__ void histogram(const uchar4 *bytes, unsigned *counts, int vectors) {
    __shared__ unsigned own[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) own[bin] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        uchar4 four = bytes[i];
        atomicAdd(&own[four.x], 1u);
        atomicAdd(&own[four.y], 1u);
        atomicAdd(&own[four.z], 1u);
        atomicAdd(&own[four.w], 1u);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        if (own[bin] != 0) atomicAdd(&counts[bin], own[bin]);
    }
}
