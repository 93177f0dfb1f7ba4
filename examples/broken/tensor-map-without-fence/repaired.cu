// Repaired: who copies has acquired the map first.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda.h>
namespace ptx = cuda::ptx;

extern "C" __global__ void tensor_map_without_fence(
        const __grid_constant__ CUtensorMap map, CUtensorMap *own, const int *t, int *out) {
    alignas(128) __shared__ CUtensorMap changed;
    alignas(128) __shared__ int row[32];
    __shared__ uint64_t bar;
    int lane = threadIdx.x;
    reinterpret_cast<int *>(&changed)[lane] = reinterpret_cast<const int *>(&map)[lane];
    __syncwarp();
    if (lane == 0)
        ptx::tensormap_replace_global_address(ptx::space_shared, &changed, t + 32 * blockIdx.x);
    __syncwarp();
    own += blockIdx.x;
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, own, &changed, ptx::n32_t<128>());
    if (lane == 0) {
        ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, ptx::scope_gpu, own, ptx::n32_t<128>());
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async();
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof row);
        int32_t start[] = {0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, row, own, start, &bar);
    }
    __syncwarp();
    while (!ptx::mbarrier_try_wait_parity(&bar, 0)) { }
    out[32 * blockIdx.x + lane] = row[lane];
}
