// Repaired: a barrier stands between.
// targets: compute_90a
// flags: -lineinfo
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void race_wmma_store(int *out) {
    __shared__ __align__(32) int tile[256];
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
        wmma::fill_fragment(sum, 3);
        wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
    }
    __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x - 32] = tile[8 * (threadIdx.x - 32)];
}
