// Stable radix sort of one block's unsigned keys, a bit at a time: ballots count the zeros, popc ranks the lanes.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int COUNT = 512;
constexpr unsigned ALL_LANES = 0xffffffff;

extern "C" __global__ void __launch_bounds__(COUNT) radix_sort(unsigned *keys, int bits) {
    __shared__ unsigned exchange[COUNT];
    __shared__ int zeros_before[COUNT / 32 + 1];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned key = keys[blockIdx.x * COUNT + threadIdx.x];
    for (int bit = 0; bit < bits; bit++) {
        bool one = key >> bit & 1;
        unsigned zeros = __ballot_sync(ALL_LANES, !one);
        if (lane == 0) zeros_before[warp + 1] = __popc(zeros);
        __syncthreads();
        if (threadIdx.x == 0) {
            zeros_before[0] = 0;
            for (int i = 0; i < COUNT / 32; i++) zeros_before[i + 1] += zeros_before[i];
        }
        __syncthreads();
        int rank = zeros_before[warp] + __popc(zeros & ((1u << lane) - 1));   // zeros before this thread
        exchange[one ? zeros_before[COUNT / 32] + int(threadIdx.x) - rank : rank] = key;
        __syncthreads();
        key = exchange[threadIdx.x];
        __syncthreads();
    }
    keys[blockIdx.x * COUNT + threadIdx.x] = key;
}
