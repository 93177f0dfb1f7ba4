// What sm_90 adds to the host's side: tensor maps by the driver's encoder, launches in clusters
// with attributes, the questions around them. Prints "passed".
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdint>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    cudaError_t error = (call);                                                         \
    if (error != cudaSuccess) {                                                         \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(error));               \
      return 1;                                                                         \
    }                                                                                   \
  } while (0)

constexpr int ROWS = 20, COLUMNS = 24, BOX_ROWS = 8, BOX_COLUMNS = 16;

// Each CTA copies one box of the tensor; what lies outside reads as zero.
__global__ void boxes(const __grid_constant__ CUtensorMap map, float *out) {
  __shared__ alignas(128) float tile[BOX_ROWS * BOX_COLUMNS];
  __shared__ alignas(8) uint64_t barrier;
  uint32_t full = __cvta_generic_to_shared(&barrier), target = __cvta_generic_to_shared(tile);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(full) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full),
                 "r"((int)sizeof tile)
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3}], [%4];" ::"r"(target),
        "l"(&map), "r"((int)blockIdx.x * BOX_COLUMNS), "r"((int)blockIdx.y * BOX_ROWS), "r"(full)
        : "memory");
  }
  asm volatile(
      "{\n.reg .pred done;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra AGAIN;\n}" ::"r"(full)
      : "memory");
  float *mine = out + (blockIdx.y * gridDim.x + blockIdx.x) * BOX_ROWS * BOX_COLUMNS;
  for (int i = threadIdx.x; i < BOX_ROWS * BOX_COLUMNS; i += blockDim.x) mine[i] = tile[i];
}

// Each CTA writes into the shared memory of the next one of its cluster.
__global__ void around(unsigned *out) {
  __shared__ unsigned from;
  unsigned rank, count, there;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"((unsigned)__cvta_generic_to_shared(&from)), "r"((rank + 1) % count));
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(100 * blockIdx.x) : "memory");
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  out[blockIdx.x] = from;
}

int copies() {
  CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                     const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                     CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                     CUtensorMapFloatOOBfill);
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000,
                                         cudaEnableDefault, &found));
  if (found != cudaDriverEntryPointSuccess) return printf("no encoder\n");
  float *tensor, *out;
  dim3 grid((COLUMNS + BOX_COLUMNS - 1) / BOX_COLUMNS, (ROWS + BOX_ROWS - 1) / BOX_ROWS);
  size_t bytes = sizeof(float) * grid.x * grid.y * BOX_ROWS * BOX_COLUMNS;
  std::vector<float> host(ROWS * COLUMNS), got(bytes / sizeof(float));
  for (int i = 0; i < ROWS * COLUMNS; i++) host[i] = i + 1;
  CHECK(cudaMalloc(&tensor, host.size() * sizeof(float)));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemcpy(tensor, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUtensorMap map;
  cuuint64_t shape[] = {COLUMNS, ROWS}, strides[] = {COLUMNS * sizeof(float)};
  cuuint32_t box[] = {BOX_COLUMNS, BOX_ROWS}, steps[] = {1, 1}, wide[] = {257, 1};
  auto tiled = [&](void *at, const cuuint32_t *of) {
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, at, shape, strides, of, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  if (tiled(tensor, wide) != CUDA_ERROR_INVALID_VALUE) return printf("257 elements encoded\n");
  if (tiled(tensor + 1, box) != CUDA_ERROR_INVALID_VALUE) return printf("address encoded\n");
  if (tiled(tensor, box) != CUDA_SUCCESS) return printf("not encoded\n");
  boxes<<<grid, 64>>>(map, out);
  CHECK(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < got.size(); i++) {
    unsigned tile = i / (BOX_ROWS * BOX_COLUMNS), inside = i % (BOX_ROWS * BOX_COLUMNS);
    unsigned row = tile / grid.x * BOX_ROWS + inside / BOX_COLUMNS;
    unsigned column = tile % grid.x * BOX_COLUMNS + inside % BOX_COLUMNS;
    float right = row < ROWS && column < COLUMNS ? row * COLUMNS + column + 1 : 0;
    if (got[i] != right) return printf("box element %u is %g, not %g\n", i, got[i], right);
  }
  CHECK(cudaFree(tensor));
  CHECK(cudaFree(out));
  return 0;
}

int clusters() {
  constexpr unsigned CTAS = 12, CLUSTER = 4;
  unsigned *out, got[CTAS];
  CHECK(cudaMalloc(&out, sizeof got));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = CLUSTER;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = CTAS;
  config.blockDim = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int most = 0;
  CHECK(cudaOccupancyMaxActiveClusters(&most, around, &config));
  if (most < 1) return printf("%d clusters\n", most);
  CHECK(cudaOccupancyMaxPotentialClusterSize(&most, around, &config));
  if (most != 8) return printf("clusters of %d\n", most);
  CHECK(cudaLaunchKernelEx(&config, around, out));
  CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < CTAS; i++) {
    unsigned right = 100 * (i / CLUSTER * CLUSTER + (i + CLUSTER - 1) % CLUSTER);
    if (got[i] != right) return printf("CTA %u got %u, not %u\n", i, got[i], right);
  }
  CHECK(cudaFree(out));
  return 0;
}

__global__ void __cluster_dims__(2, 1, 1) pairs() {}
__global__ void __launch_bounds__(64, 1, 4) four() {}
__global__ void nothing() {}

// Launches in clusters that do not fit, with what an H100 answers (driver 580.159.04, CUDA 13.0,
// 2026-11-22).
cudaError_t in_clusters(void (*kernel)(), unsigned grid, unsigned cluster) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel);
  return cudaGetLastError();
}

int refusals() {
  const cudaError_t refused = cudaErrorInvalidClusterSize;
  if (in_clusters(nothing, 11, 4) != refused) return printf("no multiple\n");
  if (in_clusters(nothing, 32, 16) != refused) return printf("16 CTAs\n");
  if (in_clusters(nothing, 64, 32) != refused) return printf("32 CTAs\n");
  if (in_clusters(nothing, 8, 0) != refused) return printf("no CTAs\n");
  if (in_clusters(pairs, 8, 4) != refused) return printf("not what the kernel requires\n");
  if (in_clusters(four, 8, 8) != refused) return printf("more than the kernel takes\n");
  pairs<<<3, 32>>>();
  if (cudaGetLastError() != refused) return printf("no multiple of pairs\n");
  CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK(in_clusters(nothing, 32, 16));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, pairs));
  if (attributes.requiredClusterWidth != 2 || !attributes.clusterDimMustBeSet) return printf("pairs\n");
  CHECK(cudaFuncGetAttributes(&attributes, four));
  if (attributes.maxThreadsPerBlock != 64) return printf("%d threads\n", attributes.maxThreadsPerBlock);
  CHECK(cudaDeviceSynchronize());
  return 0;
}

int main() {
  if (copies() || clusters() || refusals()) return 1;
  printf("passed\n");
}
