// Broken: a bulk store takes one more row than the block has written.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void uninitialised_bulk_store(float *out) {
    alignas(16) __shared__ float tile[5][64];
    for (int row = 0; row < 4; row++) tile[row][threadIdx.x] = row + threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 5 * 64 * sizeof(float));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}
