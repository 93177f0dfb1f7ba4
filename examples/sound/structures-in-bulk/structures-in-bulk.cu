// Bulk copies take structures whole, with padding that nobody wrote, out of shared memory and back into it.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

struct alignas(16) Item {
    double value;
    int key;
};

extern "C" __global__ void structures_in_bulk(const double *in, Item *items, double *out) {
    __shared__ Item tile[64], again[64];
    __shared__ uint64_t full;
    int t = threadIdx.x;
    tile[t].value = in[t];
    tile[t].key = t;
    if (t == 0) ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, items, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        ptx::fence_proxy_async();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof again);
        ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, again, items, sizeof again, &full);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, 0)) {}
    uint4 words = reinterpret_cast<const uint4 *>(again)[63 - t];
    const Item &copy = reinterpret_cast<const Item &>(words);
    out[t] = copy.value * copy.key;
}
