// Prefix sums of a whole array in one pass with decoupled look-back: a block publishes its own sum, then walks over its
// predecessors' states until one holds a complete prefix. Blocks take their number from a ticket, so that a block waits only
// for blocks that run already.
// targets: compute_80 compute_90a compute_120a
constexpr int THREADS = 128;
constexpr unsigned long long SUM = 1ull << 32, PREFIX = 2ull << 32;   // state in the high word, value in the low word

extern "C" __global__ void scan_lookback(const unsigned *values, unsigned *sums, unsigned *ticket, volatile unsigned long long *states, int count) {
    __shared__ unsigned block, exclusive, scratch[THREADS];
    if (threadIdx.x == 0) block = atomicAdd(ticket, 1u);
    __syncthreads();
    int place = block * THREADS + threadIdx.x;
    scratch[threadIdx.x] = place < count ? values[place] : 0;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        unsigned other = threadIdx.x >= distance ? scratch[threadIdx.x - distance] : 0;
        __syncthreads();
        scratch[threadIdx.x] += other;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned own = scratch[THREADS - 1], before = 0;
        if (block > 0) {
            states[block] = SUM | own;
            for (int other = block - 1;;) {
                unsigned long long state = states[other];
                if (state == 0) continue;
                before += unsigned(state);
                if (state >= PREFIX) break;
                other--;
            }
        }
        states[block] = PREFIX | (before + own);
        exclusive = before;
    }
    __syncthreads();
    if (place < count) sums[place] = exclusive + scratch[threadIdx.x];
}
