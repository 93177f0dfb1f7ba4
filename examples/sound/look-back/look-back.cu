// Blocks publish sums with a fence and a volatile state, and look back at those before them: one pass prefix sums.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void look_back(const int *in, int *out, volatile int *sums, volatile int *state) {
    __shared__ int before;
    int block = blockIdx.x;
    if (threadIdx.x == 0) {
        int own = in[block] + block;
        sums[2 * block] = own;
        __threadfence();
        state[block] = 1;
        int total = 0;
        for (int other = block - 1; other >= 0;) {
            int seen = state[other];
            if (seen == 0) continue;
            __threadfence();
            total += sums[2 * other + seen - 1];
            other = seen == 2 ? -1 : other - 1;
        }
        sums[2 * block + 1] = total + own;
        __threadfence();
        state[block] = 2;
        before = total;
    }
    __syncthreads();
    out[block * 32 + threadIdx.x] = before + threadIdx.x;
}
