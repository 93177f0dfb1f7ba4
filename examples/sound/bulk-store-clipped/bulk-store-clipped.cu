// The tile of a tensor store has rows beyond the tensor, which nobody wrote and nobody stores.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/ptx>
#include <cuda.h>
namespace ptx = cuda::ptx;

extern "C" __global__ void bulk_store_clipped(const __grid_constant__ CUtensorMap map) {
    alignas(128) __shared__ int tile[8][32];
    for (int row = 0; row < 6; row++) tile[row][threadIdx.x] = 32 * row + threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (threadIdx.x == 0) {
        int32_t start[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, start, tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
