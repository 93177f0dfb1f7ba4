// Misuse of the runtime, and what an H100 answers (driver 580.159.04, CUDA 13.0, 2026-11-22). Prints
// what differs, and "passed" where nothing does. Where the reference states another error (launches of
// illegal shape, functions that are no kernels) it is the device that is followed.
#include <cstdio>

__global__ void nothing() {}
__global__ void large(int *p) { extern __shared__ int s[]; s[threadIdx.x] = 1; *p = s[0]; }
__device__ int variable[4];

static int wrong;
static int cases;

static void expect(const char *what, cudaError_t found, cudaError_t stated) {
  cases++;
  cudaGetLastError();
  if (found != stated) {
    wrong++;
    printf("%s: %s, an H100 says %s\n", what, cudaGetErrorName(found), cudaGetErrorName(stated));
  }
}
#define EXPECT(stated, call) expect(#call, (call), stated)
#define EXPECT_LAUNCH(stated, launch) (launch, expect(#launch, cudaGetLastError(), stated))

int main() {
  int host[4] = {}, count;
  void *p, *q;
  size_t size;
  cudaDeviceProp properties;
  cudaStream_t stream;
  cudaEvent_t event, untimed, unrecorded;
  float milliseconds;
  cudaFuncAttributes attributes;
  cudaMalloc(&p, 1024);
  cudaMallocHost(&q, 1024);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaEventCreate(&unrecorded);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);

  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1000));
  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 1000));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&count, cudaDevAttrWarpSize, 1000));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetAttribute(&count, (cudaDeviceAttr)100000, 0));
  EXPECT(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  EXPECT(cudaErrorInvalidValue, cudaMalloc(nullptr, 16));
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&p, (size_t)1 << 46));
  cudaMalloc(&p, 1024);
  EXPECT(cudaErrorInvalidValue, cudaFree((char *)p + 16));
  EXPECT(cudaErrorInvalidValue, cudaFree(host));
  EXPECT(cudaSuccess, cudaFree(nullptr));
  EXPECT(cudaErrorInvalidValue, cudaFreeHost(host));
  EXPECT(cudaErrorInvalidValue, cudaHostAlloc(&q, 16, 0x1000));
  EXPECT(cudaErrorInvalidValue, cudaMallocManaged((void **)&q, 16, 77));
  cudaMallocHost(&q, 1024);
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(p, host, 2048, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(host, nullptr, 16, cudaMemcpyDeviceToHost));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, host, 16, (cudaMemcpyKind)17));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy(host, host, 16, cudaMemcpyDeviceToDevice));
  EXPECT(cudaSuccess, cudaMemcpy(p, host, 0, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemset(p, 0, 4096));
  EXPECT(cudaErrorInvalidValue, cudaMemset(host, 0, 16));
  EXPECT(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(host, host, 4));
  EXPECT(cudaErrorInvalidValue, cudaMemcpyToSymbol(variable, host, 32));
  EXPECT(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&p, host));
  EXPECT(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, host));
  EXPECT(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
  EXPECT(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 0x100));
  EXPECT(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 0x100));
  cudaEventCreate(&event);
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, unrecorded));
  cudaEventRecord(untimed);
  cudaEventRecord(event);
  cudaDeviceSynchronize();
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, untimed));
  EXPECT(cudaSuccess, cudaEventQuery(unrecorded));
  EXPECT(cudaSuccess, cudaStreamQuery(0));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (nothing<<<0, 1>>>()));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (nothing<<<1, 0>>>()));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (nothing<<<1, 1025>>>()));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (nothing<<<dim3(1, 65536, 1), 1>>>()));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (nothing<<<1, dim3(1, 1, 65)>>>()));
  EXPECT_LAUNCH(cudaErrorInvalidValue, (large<<<1, 32, 1 << 20>>>(nullptr)));
  EXPECT_LAUNCH(cudaSuccess, (nothing<<<1, 1>>>()));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&attributes, (const void *)host));
  EXPECT(cudaErrorInvalidResourceHandle, cudaLaunchKernel((const void *)host, dim3(1), dim3(1), nullptr, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  EXPECT(cudaSuccess, cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetLimit((cudaLimit)1000, 1));
  EXPECT(cudaErrorInvalidValue, cudaHostGetDevicePointer(&p, host, 0));
  EXPECT(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, host));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1000, 0));
  if (cudaGetLastError() != cudaSuccess) printf("an error is left\n");
  if (wrong == 0) printf("passed\n");
  else printf("%d of %d differ\n", wrong, cases);
  return wrong != 0;
}
