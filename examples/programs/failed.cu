// What is refused for a kernel that is none, and what still answers when the device has failed. Expected is
// what an H100 answered (driver 580.159.04). Prints "passed".
#include <cuda.h>
#include <cstdio>
#include <cstring>

#include "expect.h"

__global__ void store(int *p) { p[0] = 1; }
__device__ int word;
static void nothing() {}

static void kernels() {
  cudaFuncAttributes attributes;
  cudaKernel_t kernel;
  cudaFunction_t function;
  int number;
  EXPECT(cudaErrorInvalidResourceHandle, cudaLaunchKernel((void *)nothing, 1, 1, nullptr, 0, 0));
  EXPECT(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(nullptr, 1, 1, nullptr, 0, 0));
  EXPECT(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&attributes, (void *)nothing));
  EXPECT(cudaErrorInvalidResourceHandle,
         cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, (void *)nothing, 32, 0));
  EXPECT(cudaErrorInvalidDeviceFunction, cudaGetKernel(&kernel, (void *)nothing));
  EXPECT(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&function, (void *)nothing));
}

static void words(CUresult error, CUresult answer, const char *name, const char *description) {
  const char *text = "";
  EXPECT_VALUE(answer, cuGetErrorName(error, &text));
  EXPECT_VALUE(1, name == nullptr ? text == nullptr : strcmp(name, text) == 0);
  EXPECT_VALUE(answer, cuGetErrorString(error, &text));
  EXPECT_VALUE(1, description == nullptr ? text == nullptr : strcmp(description, text) == 0);
}

static void driver(CUcontext context, CUdeviceptr pointer) {
  CUdevice device;
  CUcontext now;
  CUdeviceptr got;
  CUdriverProcAddressQueryResult status;
  int number, active = 0;
  unsigned flags;
  size_t bytes, total;
  char name[99];
  void *at;
  words(CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_SUCCESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
        "an illegal memory access was encountered");
  EXPECT_VALUE(0, cuInit(0));
  EXPECT_VALUE(0, cuDriverGetVersion(&number));
  EXPECT_VALUE(0, cuDeviceGetCount(&number));
  EXPECT_VALUE(0, cuDeviceGet(&device, 0));
  EXPECT_VALUE(0, cuDeviceGetName(name, sizeof name, device));
  EXPECT_VALUE(0, cuDeviceTotalMem(&bytes, device));
  EXPECT_VALUE(0, cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  EXPECT_VALUE(0, cuDevicePrimaryCtxGetState(device, &flags, &active));
  EXPECT_VALUE(1, active);
  EXPECT_VALUE(0, cuDevicePrimaryCtxRetain(&now, device));
  EXPECT_VALUE(0, cuDevicePrimaryCtxRelease(device));
  EXPECT_VALUE(0, cuCtxGetCurrent(&now));
  EXPECT_VALUE(1, now == context);
  EXPECT_VALUE(0, cuCtxSetCurrent(context));
  EXPECT_VALUE(0, cuCtxPushCurrent(context));
  EXPECT_VALUE(0, cuCtxPopCurrent(&now));
  EXPECT_VALUE(0, cuCtxGetDevice(&device));
  EXPECT_VALUE(0, cuCtxGetFlags(&flags));
  EXPECT_VALUE(0, cuPointerGetAttribute(&got, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer));
  EXPECT_VALUE(0, cuGetProcAddress("cuMemAlloc", &at, 12000, 0, &status));
  EXPECT_VALUE(700, cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  EXPECT_VALUE(700, cuCtxSynchronize());
  EXPECT_VALUE(700, cuMemGetInfo(&bytes, &total));
  EXPECT_VALUE(700, cuMemAlloc(&got, 64));
  EXPECT_VALUE(700, cuMemGetAddressRange(&got, &bytes, pointer));
  EXPECT_VALUE(700, cuMemcpyDtoH(&number, pointer, 4));
  EXPECT_VALUE(700, cuMemFree(pointer));
}

static void runtime() {
  int number;
  size_t bytes, total;
  void *symbol;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  EXPECT(cudaSuccess, cudaGetDeviceCount(&number));
  EXPECT(cudaSuccess, cudaGetDevice(&number));
  EXPECT(cudaSuccess, cudaSetDevice(0));
  EXPECT(cudaSuccess, cudaGetDeviceProperties(&properties, 0));
  EXPECT(cudaSuccess, cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
  EXPECT(cudaSuccess, cudaRuntimeGetVersion(&number));
  EXPECT(cudaSuccess, cudaDriverGetVersion(&number));
  EXPECT(cudaErrorIllegalAddress, cudaFuncGetAttributes(&attributes, store));
  EXPECT(cudaErrorIllegalAddress, cudaGetSymbolAddress(&symbol, word));
  EXPECT(cudaErrorIllegalAddress, cudaMemGetInfo(&bytes, &total));
}

int main() {
  CUcontext context;
  CUdeviceptr pointer;
  kernels();
  EXPECT_VALUE(0, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(0, cuCtxGetCurrent(&context));
  words((CUresult)12345, CUDA_ERROR_INVALID_VALUE, nullptr, nullptr);
  store<<<1, 1>>>((int *)16);
  EXPECT(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  driver(context, pointer);
  runtime();
  return judged();
}
