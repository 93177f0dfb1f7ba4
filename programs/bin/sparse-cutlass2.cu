// CUTLASS 2.x: D = A B of a sparse A, row-major, and a dense B, column-major.
//
//   sparse-cutlass2 TYPE A.bin B.bin D.bin M N K
//
// A.bin is what `heddle compress --format cutlass-sm80` (or torch-cutlass) writes.
#include <cstring>

#include "sparse-gemm.h"
#include <cutlass/gemm/device/gemm_sparse.h>

template <class Element, class Sum, class Tile, class Warp, class Instruction>
int multiply(char **files, int m, int n, int k) {
  using Row = cutlass::layout::RowMajor;
  using Column = cutlass::layout::ColumnMajor;
  constexpr int bits = cutlass::sizeof_bits<Element>::value;
  using Epilogue = cutlass::epilogue::thread::LinearCombination<
      Sum, 128 / cutlass::sizeof_bits<Sum>::value, Sum, Sum>;
  using Gemm = cutlass::gemm::device::SparseGemm<
      Element, Row, Element, Column, Sum, Row, Sum, cutlass::arch::OpClassTensorOp,
      cutlass::arch::Sm80, Tile, Warp, Instruction, Epilogue,
      cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, 3>;
  using E = typename Gemm::ElementE;
  size_t values = size_t(m) * k / 2 * bits / 8;
  int words = k / 2 / Gemm::kElementsPerElementE;
  auto *a = load(files[0], values + size_t(m) * words * sizeof(E));
  auto *b = load(files[1], size_t(k) * n * bits / 8);
  auto *d = device(size_t(m) * n * sizeof(Sum));
  auto *c = reinterpret_cast<Sum *>(d);
  typename Gemm::Arguments arguments(
      {m, n, k}, {reinterpret_cast<Element *>(a), k / 2}, {reinterpret_cast<Element *>(b), k},
      {c, n}, {c, n},
      {reinterpret_cast<E *>(a + values), Gemm::LayoutE::packed({m, words})},
      {Sum(1), Sum(0)}, 1);
  Gemm gemm;
  check(int(gemm.can_implement(arguments)), "can_implement");
  check(int(gemm(arguments)), "gemm");
  save(files[2], d, size_t(m) * n * sizeof(Sum));
  return 0;
}

int main(int count, char **given) {
  using cutlass::gemm::GemmShape;
  if (count != 8) return fprintf(stderr, "sparse-cutlass2 TYPE A B D M N K\n"), 2;
  int m = atoi(given[5]), n = atoi(given[6]), k = atoi(given[7]);
  const char *type = given[1];
  if (!strcmp(type, "f16"))
    return multiply<cutlass::half_t, float, GemmShape<128, 128, 64>, GemmShape<64, 64, 64>,
                    GemmShape<16, 8, 32>>(given + 2, m, n, k);
  if (!strcmp(type, "f32"))
    return multiply<cutlass::tfloat32_t, float, GemmShape<128, 64, 32>, GemmShape<64, 32, 32>,
                    GemmShape<16, 8, 16>>(given + 2, m, n, k);
  if (!strcmp(type, "s8"))
    return multiply<int8_t, int, GemmShape<128, 128, 128>, GemmShape<64, 64, 128>,
                    GemmShape<16, 8, 64>>(given + 2, m, n, k);
  if (!strcmp(type, "s4"))
    return multiply<cutlass::int4b_t, int, GemmShape<128, 128, 256>, GemmShape<64, 64, 256>,
                    GemmShape<16, 8, 128>>(given + 2, m, n, k);
  return fprintf(stderr, "TYPE: f16, f32 (tf32), s8 or s4\n"), 2;
}
