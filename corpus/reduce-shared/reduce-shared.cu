// The sum of each block's values through shared memory: half of the threads that still work add the other half's values.
// targets: compute_75 compute_80 compute_90a compute_120a
// flags: -lineinfo
constexpr int THREADS = 128;

extern "C" __global__ void reduce_shared(const float *values, float *sums, int count) {
    __shared__ float partial[THREADS];
    int place = blockIdx.x * THREADS + threadIdx.x;
    partial[threadIdx.x] = place < count ? values[place] : 0.0f;
    __syncthreads();
    for (int width = THREADS / 2; width > 0; width /= 2) {
        if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}
