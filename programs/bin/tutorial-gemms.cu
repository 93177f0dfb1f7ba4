// Stands in for the main functions of three public collections of hand-written GEMM kernels, which
// compare with cuBLAS. Integer inputs make every sum exact, so each element must have equal bits.
//
//   ./tutorial-gemms [KERNEL|all] M N K
//
// -DFAST_CU=FILE    pranjalssh/fast.cu: bf16, wgmma and TMA; one kernel a build, FAST_CU_NUMBER
// -DHGEMM           Bruce-Lee-LY/cuda_hgemm: f16, wmma and mma
// -DSGEMM           siboehm/SGEMM_CUDA: f32
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <vector>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

static void check(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("%s:%d: %s\n", file, line, cudaGetErrorString(error));
        exit(3);
    }
}

#ifdef FAST_CU
#include <cuda/barrier>
#include <cudaTypedefs.h>
typedef __nv_bfloat16 bf16;
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
#define cudaCheck(error) check(error, __FILE__, __LINE__)
#define TEXT(x) #x
#define INCLUDED(file) TEXT(file)
#include INCLUDED(FAST_CU)
#define JOINED(a, b) a##b
#define RUN(number) JOINED(runKernel, number)
typedef bf16 Element;
static void run(int m, int n, int k, bf16 *a, bf16 *b, bf16 *c) {
    int *trace; // the times that some kernels write
    check(cudaMalloc(&trace, sizeof(int) << 20), __FILE__, __LINE__);
    check(cudaMemset(trace, 0xff, sizeof(int) << 20), __FILE__, __LINE__);
#if FAST_CU_NUMBER < 3
    RUN(FAST_CU_NUMBER)(m, n, k, a, b, c);
#else
    RUN(FAST_CU_NUMBER)(m, n, k, a, b, c, trace);
#endif
}
const char *const names[] = {INCLUDED(FAST_CU)};
static void (*const kernels[])(int, int, int, bf16 *, bf16 *, bf16 *) = {run};
#define B_AT(i, j) b[(size_t)(j) * k + (i)] // column-major
#define C_AT(i, j) (size_t)(j) * m + (i)
#define EXPECTED(sum, before) (sum)

#elif defined(HGEMM)
typedef half Element;
#define KERNELS(X)                                                                                \
    X(simtNaive) X(wmmaNaive) X(wmmaBase) X(wmmaPadding) X(wmmaAsync) X(wmmaAsyncPg2s)            \
    X(wmmaAsyncPg2sPs2r) X(wmmaAsyncStage2) X(wmmaAsyncStage3) X(mmaNaive) X(mmaBase)             \
    X(mmaPermuted) X(mmaAsync) X(mmaAsyncPg2s) X(mmaAsyncPg2sPs2r) X(mmaAsyncStage2)              \
    X(mmaAsyncStage3) X(mmaAsyncStage4)
#define DECLARED(name) void name(half *A, half *B, half *C, size_t M, size_t N, size_t K);
KERNELS(DECLARED)
#define NAME(name) #name,
const char *const names[] = {KERNELS(NAME)};
template <void (*kernel)(half *, half *, half *, size_t, size_t, size_t)>
static void run(int m, int n, int k, half *a, half *b, half *c) {
    kernel(a, b, c, m, n, k);
}
#define FUNCTION(name) run<name>,
static void (*const kernels[])(int, int, int, half *, half *, half *) = {KERNELS(FUNCTION)};
#define B_AT(i, j) b[(size_t)(j) * k + (i)]
#define C_AT(i, j) (size_t)(i) * n + (j)
#define EXPECTED(sum, before) (sum)

#elif defined(SGEMM)
#include "src/runner.cuh"
typedef float Element;
const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"};
template <int number> static void run(int m, int n, int k, float *a, float *b, float *c) {
    run_kernel(number, m, n, k, 0.5f, a, b, 3.0f, c, nullptr);
}
static void (*const kernels[])(int, int, int, float *, float *, float *) = {
    run<1>, run<2>, run<3>, run<4>, run<5>, run<6>, run<7>, run<8>, run<9>, run<10>, run<11>, run<12>};
#define B_AT(i, j) b[(size_t)(i) * n + (j)] // row-major
#define C_AT(i, j) (size_t)(i) * n + (j)
#define EXPECTED(sum, before) (0.5f * (sum) + 3.0f * (before))
#endif

static Element *onDevice(const std::vector<Element> &host) {
    Element *device;
    check(cudaMalloc(&device, host.size() * sizeof(Element)), __FILE__, __LINE__);
    check(cudaMemcpy(device, host.data(), host.size() * sizeof(Element), cudaMemcpyHostToDevice),
          __FILE__, __LINE__);
    return device;
}

int main(int count, char **arguments) {
    if (count != 5) {
        printf("usage: %s KERNEL|all M N K\n", arguments[0]);
        return 2;
    }
    int m = atoi(arguments[2]), n = atoi(arguments[3]), k = atoi(arguments[4]);
    std::vector<Element> a((size_t)m * k), b((size_t)n * k), before((size_t)m * n);
    std::mt19937 random(5);
    std::uniform_int_distribution<int> small(-3, 3);
    for (auto *matrix : {&a, &b, &before})
        for (auto &element : *matrix) element = Element((float)small(random));
    std::vector<Element> expected(before.size());
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++) sum += (float)a[(size_t)i * k + l] * (float)B_AT(l, j);
            expected[C_AT(i, j)] = Element(EXPECTED(sum, (float)before[C_AT(i, j)]));
        }
    Element *deviceA = onDevice(a), *deviceB = onDevice(b);
    bool failed = false;
    for (size_t kernel = 0; kernel < sizeof(kernels) / sizeof(*kernels); kernel++) {
        if (strcmp(arguments[1], "all") && strcmp(arguments[1], names[kernel])) continue;
        Element *c = onDevice(before);
        kernels[kernel](m, n, k, deviceA, deviceB, c);
        check(cudaDeviceSynchronize(), __FILE__, __LINE__);
        std::vector<Element> result(before.size());
        check(cudaMemcpy(result.data(), c, result.size() * sizeof(Element), cudaMemcpyDeviceToHost),
              __FILE__, __LINE__);
        size_t equal = 0;
        for (size_t i = 0; i < result.size(); i++)
            equal += memcmp(&result[i], &expected[i], sizeof(Element)) == 0;
        printf("%s: %zu of %zu elements equal\n", names[kernel], equal, result.size());
        failed |= equal != result.size();
        check(cudaFree(c), __FILE__, __LINE__);
    }
    return failed;
}
