// D = A * B + C through the C++ interface of the tensor cores (nvcuda::wmma), f16 with f32 sums, one warp a tile of 16 x 16.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void gemm_wmma(const __half *a, const __half *b, const float *c, float *d, int n, int k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    int row = blockIdx.y * 16, column = blockIdx.x * 16;
    wmma::load_matrix_sync(sums, c + row * n + column, n, wmma::mem_row_major);
    for (int first = 0; first < k; first += 16) {
        wmma::load_matrix_sync(fragment_a, a + row * k + first, k);
        wmma::load_matrix_sync(fragment_b, b + column * k + first, k);
        wmma::mma_sync(sums, fragment_a, fragment_b, sums);
    }
    for (int i = 0; i < sums.num_elements; i++) sums.x[i] = fmaxf(sums.x[i], -100.0f);
    wmma::store_matrix_sync(d + row * n + column, sums, n, wmma::mem_row_major);
}
