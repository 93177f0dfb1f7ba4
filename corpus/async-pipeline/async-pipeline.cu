// A three-stage pipeline of asynchronous copies through the library's pipeline interface: a moving sum over long rows.
// targets: compute_80 compute_90a compute_120a
#include <cuda_pipeline.h>

constexpr int THREADS = 64, STAGES = 3;

extern "C" __global__ void async_pipeline(const int4 *rows, long long *sums, int tiles) {
    __shared__ int4 stage[STAGES][THREADS];
    const int4 *row = rows + blockIdx.x * tiles * THREADS;
    long long sum = 0;
    for (int tile = 0; tile < STAGES - 1; tile++) {
        if (tile < tiles) __pipeline_memcpy_async(&stage[tile][threadIdx.x], &row[tile * THREADS + threadIdx.x], sizeof(int4));
        __pipeline_commit();
    }
    for (int tile = 0; tile < tiles; tile++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int next = tile + STAGES - 1;
        if (next < tiles) __pipeline_memcpy_async(&stage[next % STAGES][threadIdx.x], &row[next * THREADS + threadIdx.x], sizeof(int4));
        __pipeline_commit();
        int4 four = stage[tile % STAGES][THREADS - 1 - threadIdx.x];   // copied by another thread
        sum += (long long)four.x + 3LL * four.y - four.z + (long long)four.w * (tile + 1);
    }
    sums[blockIdx.x * THREADS + threadIdx.x] = sum;
}
