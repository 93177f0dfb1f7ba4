// Inclusive prefix sums of each block's values: inside the warps by shuffles, across them by the first warp.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;

static __device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        int other = __shfl_up_sync(ALL_LANES, value, distance);
        if (lane >= distance) value += other;
    }
    return value;
}

extern "C" __global__ void scan_block(const int *values, int *sums) {
    __shared__ int warp_sums[32];
    int place = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = warp_scan(values[place]);
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int before = lane < blockDim.x / 32 ? warp_sums[lane] : 0;
        warp_sums[lane] = warp_scan(before) - before;
    }
    __syncthreads();
    sums[place] = sum + warp_sums[warp];
}
