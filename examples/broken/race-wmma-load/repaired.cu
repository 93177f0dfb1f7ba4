// Repaired: __syncwarp stands between.
// targets: compute_90a
// flags: -lineinfo
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void race_wmma_load(int *out) {
    __shared__ __align__(32) int tile[256];
    for (int i = threadIdx.x; i < 256; i += 32) tile[i] = i;
    __syncwarp();
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    wmma::load_matrix_sync(sum, tile, 16, wmma::mem_row_major);
    wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
