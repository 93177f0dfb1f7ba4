// The sum of each block's values by warp shuffles, then of the warps' sums, and an atomic addition to the grand total in f64.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;

template <typename T>
__device__ T warp_sum(T value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(ALL_LANES, value, distance);
    return value;
}

extern "C" __global__ void reduce_shuffle(const double *values, double *sums, double *total, int count) {
    __shared__ double warp_sums[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) sum += values[i];
    sum = warp_sum(sum);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : 0.0);
        if (lane == 0) {
            sums[blockIdx.x] = sum;
            atomicAdd(total, sum);
        }
    }
}
