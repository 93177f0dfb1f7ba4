// Repaired: nothing is loaded that nobody waits for.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void bulk_load_not_awaited(const float *in, float *out, int tiles) {
    __shared__ alignas(16) float tile[2][64];
    __shared__ uint64_t full[2];
    int t = threadIdx.x;
    auto load = [&](int k) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[k % 2], sizeof tile[0]);
        ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, tile[k % 2], in + 64 * (k % tiles), sizeof tile[0], &full[k % 2]);
    };
    if (t == 0) {
        ptx::mbarrier_init(&full[0], 1);
        ptx::mbarrier_init(&full[1], 1);
        ptx::fence_proxy_async(ptx::space_shared);
        load(0);
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (t == 0 && k + 1 < tiles) load(k + 1);
        while (!ptx::mbarrier_try_wait_parity(&full[k % 2], k / 2 % 2)) {}
        sum += tile[k % 2][t];
        __syncthreads();
    }
    out[t] = sum;
}
