// Marlin 2:4: D = B A^T of 4-bit weights A, M x K with M outputs, and f16 activations B, N x K.
//
//   sparse-marlin A.bin SCALES.bin B.bin D.bin M N K
//
// A.bin is what `heddle compress --format marlin-24` writes of s4; SCALES.bin has one f16 an output.
#include "sparse-gemm.h"
// The kernel and its host function, which this file calls
#include "marlin/marlin_cuda_kernel_nm.cu"

int main(int count, char **given) {
  if (count != 8) return fprintf(stderr, "sparse-marlin A SCALES B D M N K\n"), 2;
  int m = atoi(given[5]), n = atoi(given[6]), k = atoi(given[7]);
  size_t values = size_t(m) * k / 4;
  auto *a = load(given[1], values + size_t(m) * k / 8);
  auto *scales = load(given[2], size_t(m) * 2);
  auto *b = load(given[3], size_t(n) * k * 2);
  auto *d = device(size_t(n) * m * 2);
  auto *locks = device(size_t(m) / 128 * 16 * 4);
  // A fixed number of CTAs, for the same sums on every device
  check(marlin::marlin_cuda_2_4(b, a, a + values, d, scales, m, n, k, locks, -1, 0, 0, -1, -1, 4),
        "marlin_cuda_2_4");
  save(given[4], d, size_t(n) * m * 2);
  return 0;
}
