// Host of DeepGEMM's sm90_fp8_gemm_1d2d_impl (its Python front end needs torch): the instance, tensor maps and
// shared memory as csrc/jit_kernels/impls/sm90_fp8_gemm_1d2d.hpp makes them. Checks against sums in double.
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <vector>
#include <cuda.h>
#include <deep_gemm/impls/sm90_fp8_gemm_1d2d.cuh>
using namespace deep_gemm;
#define CHECK(x) do { cudaError_t e = (x); if (e) { printf("%d: %s\n", __LINE__, cudaGetErrorName(e)); return 1; } } while (0)
constexpr uint32_t BM = 64, BN = 128, BK = 128, STAGES = 4, SMS = 4;
#ifndef CLUSTER
#define CLUSTER 1
#endif
typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static Encode encode;
static CUtensorMap map(void *p, CUtensorMapDataType t, uint64_t inner, uint64_t outer, uint64_t stride, uint32_t bi, uint32_t bo, CUtensorMapSwizzle s) {
  CUtensorMap m; cuuint64_t dims[] = {inner, outer}, strides[] = {stride}; cuuint32_t box[] = {bi, bo}, one[] = {1, 1};
  CUresult r = encode(&m, t, 2, p, dims, strides, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE, s, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (r) { printf("encode: %d\n", r); exit(1); }
  return m;
}
static uint64_t state = 1;
static uint32_t rnd() { state = state * 6364136223846793005ull + 1442695040888963407ull; return state >> 33; }
int main(int argc, char **argv) {
  uint32_t m = argc > 1 ? atoi(argv[1]) : 256, n = argc > 2 ? atoi(argv[2]) : 256, k = argc > 3 ? atoi(argv[3]) : 512;
  cudaDriverEntryPointQueryResult q;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &q));
  uint32_t kb = k / 128, nb = (n + 127) / 128;
  std::vector<__nv_fp8_e4m3> a(m * k), b(n * k); std::vector<float> sa(kb * m), sb(nb * kb); std::vector<__nv_bfloat16> d(m * n);
  for (auto &x : a) x = __nv_fp8_e4m3((float)(int)(rnd() % 2001 - 1000) * 0.01f);
  for (auto &x : b) x = __nv_fp8_e4m3((float)(int)(rnd() % 2001 - 1000) * 0.01f);
  for (auto &x : sa) x = 0.5f + (rnd() % 1000) * 0.001f;
  for (auto &x : sb) x = 0.5f + (rnd() % 1000) * 0.001f;
  void *da, *db, *dsa, *dsb, *dd;
  CHECK(cudaMalloc(&da, a.size())); CHECK(cudaMalloc(&db, b.size())); CHECK(cudaMalloc(&dsa, sa.size() * 4)); CHECK(cudaMalloc(&dsb, sb.size() * 4)); CHECK(cudaMalloc(&dd, d.size() * 2));
  CHECK(cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dsa, sa.data(), sa.size() * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(dsb, sb.data(), sb.size() * 4, cudaMemcpyHostToDevice));
  auto ta = map(da, CU_TENSOR_MAP_DATA_TYPE_UINT8, k, m, k, BK, BM, CU_TENSOR_MAP_SWIZZLE_128B);
  auto tb = map(db, CU_TENSOR_MAP_DATA_TYPE_UINT8, k, n, k, BK, BN / CLUSTER, CU_TENSOR_MAP_SWIZZLE_128B);
  auto td = map(dd, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, n, m, n * 2, 64, BM, CU_TENSOR_MAP_SWIZZLE_128B);
  auto tsa = map(dsa, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, m, kb, m * 4, BM, 1, CU_TENSOR_MAP_SWIZZLE_NONE);
  auto kernel = &sm90_fp8_gemm_1d2d_impl<cute::UMMA::Major::K, 0, 0, 0, 1, BM, BN, BK, 128, 128, 128, STAGES, 128, 128, CLUSTER, false, SMS, GemmType::Normal, cutlass::bfloat16_t, epilogue::transform::EpilogueIdentity>;
  int smem = BM * BN * 2 + STAGES * (BM * BK + BN * BK + BM * 4) + 32 * 16 + ((kb * 4 + 7) / 8 * 8);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension; at[0].val.clusterDim.x = CLUSTER; at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t c = {}; c.gridDim = SMS; c.blockDim = 256; c.dynamicSmemBytes = smem; c.attrs = at; c.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&c, kernel, (float *)dsb, (int *)nullptr, m, n, k, ta, tb, td, tsa));
  CHECK(cudaMemcpy(d.data(), dd, d.size() * 2, cudaMemcpyDeviceToHost));
  double worst = 0, sumr = 0;
  for (uint32_t i = 0; i < m; i++) for (uint32_t j = 0; j < n; j++) {
    double sum = 0;
    for (uint32_t kk = 0; kk < kb; kk++) { double part = 0; for (uint32_t x = 0; x < 128; x++) part += (double)(float)a[i * k + kk * 128 + x] * (double)(float)b[j * k + kk * 128 + x]; sum += part * sa[kk * m + i] * sb[j / 128 * kb + kk]; }
    worst = fmax(worst, fabs(sum - (double)__bfloat162float(d[i * n + j]))); sumr = fmax(sumr, fabs(sum));
  }
  printf("worst error %g of %g: %s\n", worst, sumr, worst < 0.01 * sumr ? "Passed" : "FAILED");
  cudaFree(dd); cudaFree(da); cudaFree(db); cudaFree(dsa); cudaFree(dsb);
  return worst < 0.01 * sumr ? 0 : 1;
}
