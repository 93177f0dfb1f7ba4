// Four stages of cp.async in flight, one group a round, empty groups at the end: as CUTLASS's multistage main loop.
// targets: compute_80
// flags: -lineinfo
#include <cuda_pipeline.h>
extern "C" __global__ void multistage_copies(const int4 *in, int4 *out, int tiles) {
    constexpr int STAGES = 4;
    extern __shared__ int4 stage[];
    int t = threadIdx.x;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < tiles) __pipeline_memcpy_async(&stage[s * 128 + t], &in[s * 128 + t], 16);
        __pipeline_commit();
    }
    int4 sum = make_int4(0, 0, 0, 0);
    for (int tile = 0; tile < tiles; tile++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int ahead = tile + STAGES - 1;
        if (ahead < tiles) __pipeline_memcpy_async(&stage[ahead % STAGES * 128 + t], &in[ahead * 128 + t], 16);
        __pipeline_commit();
        int4 other = stage[tile % STAGES * 128 + (t ^ 127)];
        sum.x += other.x; sum.y += other.y; sum.z += other.z; sum.w += other.w;
    }
    out[t] = sum;
}
