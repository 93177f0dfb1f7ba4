// CUTLASS 3.x, sm_90: D = A B of a sparse f16 A, row-major, and a dense B, column-major, into f32.
//
//   sparse-cutlass3 A.bin B.bin D.bin M N K
//
// A.bin is what `heddle compress --format cutlass-sm90-k128` writes. The kernel is that of example
// 62: tiles of 128 x 128 x 128, clusters of 1 x 2.
#include "sparse-gemm.h"
#include <cutlass/cutlass.h>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/device/gemm_universal_adapter.h>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/util/packed_stride.hpp>

using namespace cute;
using Element = cutlass::half_t;
using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
using TileShape = Shape<_128, _128, _128>;
using Cluster = Shape<_1, _2, _1>;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassSparseTensorOp, TileShape, Cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, float, Row, 4, float, Row, 4,
    cutlass::epilogue::collective::EpilogueScheduleAuto>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassSparseTensorOp, Element, Row, 8, Element, Column, 8,
    float, TileShape, Cluster,
    cutlass::gemm::collective::StageCountAutoCarveout<
        static_cast<int>(sizeof(typename Epilogue::SharedStorage))>,
    cutlass::gemm::collective::KernelScheduleAuto>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

int main(int count, char **given) {
  if (count != 7) return fprintf(stderr, "sparse-cutlass3 A B D M N K\n"), 2;
  int m = atoi(given[4]), n = atoi(given[5]), k = atoi(given[6]);
  auto problem = make_shape(m, n, k, 1);
  using Config = typename Mainloop::SparseConfig;
  size_t values = size_t(m) * k / 2 * sizeof(Element);
  auto *a = load(given[1], values + size_t(m) * k / 8);
  auto *b = load(given[2], size_t(k) * n * sizeof(Element));
  auto *d = device(size_t(m) * n * sizeof(float));
  auto strideB = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, make_shape(n, k, 1));
  auto strideD = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, make_shape(m, n, 1));
  auto *sums = reinterpret_cast<float *>(d);
  typename Gemm::Arguments arguments{
      cutlass::gemm::GemmUniversalMode::kGemm,
      problem,
      {reinterpret_cast<Element *>(a), Config::fill_layoutA(problem),
       reinterpret_cast<Element *>(b), strideB,
       reinterpret_cast<typename Mainloop::ElementE *>(a + values), Config::fill_layoutE(problem)},
      {{1.f, 0.f}, sums, strideD, sums, strideD}};
  auto *workspace = device(Gemm::get_workspace_size(arguments) + 1);
  Gemm gemm;
  check(int(gemm.can_implement(arguments)), "can_implement");
  check(int(gemm.initialize(arguments, workspace)), "initialize");
  check(int(gemm.run()), "run");
  save(given[3], d, size_t(m) * n * sizeof(float));
  return 0;
}
