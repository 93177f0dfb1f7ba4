// cuSPARSELt: compresses A, and multiplies D = A B with a compressed A from a file, or its own.
//
//   CUSPARSELT=libcusparseLt.so.0 sparse-cusparselt TYPE A.raw B.raw D.bin M N K BLOB.out [A.bin]
//
// A.raw is dense, row by row, B.raw is the transpose of B. BLOB.out is what the library makes of A;
// A.bin is what `heddle compress --format cusparselt` writes. D is f16 of f16, s32 of s8, else f32.
#include <cstring>
#include <dlfcn.h>

#include "sparse-gemm.h"
#include <cusparseLt.h>

static void *library;

template <class Function> Function *find(const char *name) {
  auto *found = reinterpret_cast<Function *>(dlsym(library, name));
  if (!found) fprintf(stderr, "%s: not in the library\n", name), exit(2);
  return found;
}
#define CALL(function, ...) check(int(find<decltype(function)>(#function)(__VA_ARGS__)), #function)

/// Room for the opaque structures of every version.
template <class Type> Type *opaque() {
  return reinterpret_cast<Type *>(aligned_alloc(64, 65536));
}

int main(int count, char **given) {
  if (count < 9) return fprintf(stderr, "sparse-cusparselt TYPE A B D M N K BLOB [A.bin]\n"), 2;
  library = dlopen(getenv("CUSPARSELT"), RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
  long m = atol(given[5]), n = atol(given[6]), k = atol(given[7]);
  struct { const char *name; cudaDataType in, out; int bytes, outBytes; cusparseComputeType sum; }
      types[] = {{"f16", CUDA_R_16F, CUDA_R_16F, 2, 2, CUSPARSE_COMPUTE_32F},
                 {"bf16", CUDA_R_16BF, CUDA_R_16BF, 2, 2, CUSPARSE_COMPUTE_32F},
                 {"f32", CUDA_R_32F, CUDA_R_32F, 4, 4, CUSPARSE_COMPUTE_32F},
                 {"s8", CUDA_R_8I, CUDA_R_32I, 1, 4, CUSPARSE_COMPUTE_32I},
                 {"e4m3", CUDA_R_8F_E4M3, CUDA_R_32F, 1, 4, CUSPARSE_COMPUTE_32F}},
      t = {};
  for (auto &type : types) if (!strcmp(type.name, given[1])) t = type;
  if (!t.name) return fprintf(stderr, "TYPE: f16, bf16, f32, s8 or e4m3\n"), 2;

  auto *handle = opaque<cusparseLtHandle_t>();
  CALL(cusparseLtInit, handle);
  int version = 0;
  CALL(cusparseLtGetVersion, handle, &version);
  printf("cuSPARSELt %d\n", version);
  auto *a = opaque<cusparseLtMatDescriptor_t>(), *b = opaque<cusparseLtMatDescriptor_t>(),
       *d = opaque<cusparseLtMatDescriptor_t>();
  CALL(cusparseLtStructuredDescriptorInit, handle, a, m, k, k, 16, t.in, CUSPARSE_ORDER_ROW,
       CUSPARSELT_SPARSITY_50_PERCENT);
  CALL(cusparseLtDenseDescriptorInit, handle, b, n, k, k, 16, t.in, CUSPARSE_ORDER_ROW);
  CALL(cusparseLtDenseDescriptorInit, handle, d, m, n, n, 16, t.out, CUSPARSE_ORDER_ROW);
  auto *product = opaque<cusparseLtMatmulDescriptor_t>();
  CALL(cusparseLtMatmulDescriptorInit, handle, product, CUSPARSE_OPERATION_NON_TRANSPOSE,
       CUSPARSE_OPERATION_TRANSPOSE, a, b, d, d, t.sum);
  auto *algorithm = opaque<cusparseLtMatmulAlgSelection_t>();
  CALL(cusparseLtMatmulAlgSelectionInit, handle, algorithm, product, CUSPARSELT_MATMUL_ALG_DEFAULT);
  if (const char *id = getenv("ALGORITHM")) {
    int number = atoi(id);
    CALL(cusparseLtMatmulAlgSetAttribute, handle, algorithm, CUSPARSELT_MATMUL_ALG_CONFIG_ID,
         &number, sizeof number);
  }
  auto *plan = opaque<cusparseLtMatmulPlan_t>();
  CALL(cusparseLtMatmulPlanInit, handle, plan, product, algorithm);
  size_t size = 0, buffer = 0, workspace = 0;
  CALL(cusparseLtMatmulGetWorkspace, handle, plan, &workspace);
  CALL(cusparseLtSpMMACompressedSize, handle, plan, &size, &buffer);
  printf("compressed: %zu bytes\n", size);

  auto *dense = load(given[2], size_t(m) * k * t.bytes);
  auto *blob = device(size);
  CALL(cusparseLtSpMMACompress, handle, plan, dense, blob, device(buffer + 16), nullptr);
  save(given[8], blob, size);
  if (count > 9) {
    FILE *in = fopen(given[9], "rb");
    std::vector<char> host(size);
    size_t read = in ? fread(host.data(), 1, size, in) : 0;
    printf("%s: %zu bytes\n", given[9], read);
    check(cudaMemset(blob, 0, size), "cudaMemset");
    check(cudaMemcpy(blob, host.data(), read, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  auto *right = load(given[3], size_t(n) * k * t.bytes);
  auto *sums = device(size_t(m) * n * t.outBytes);
  float one = 1, zero = 0;
  CALL(cusparseLtMatmul, handle, plan, &one, blob, right, &zero, sums, sums,
       device(workspace + 16), nullptr, 0);
  save(given[4], sums, size_t(m) * n * t.outBytes);
  return 0;
}
