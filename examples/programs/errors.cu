// Misuse of the runtime, and what an H100 answers (driver 580.159.04, CUDA 13.0, 2026-11-22). Prints
// what differs, and "passed" where nothing does. Where the reference states another error (launches of
// illegal shape, functions that are no kernels) it is the device that is followed.
#include "expect.h"

__global__ void nothing() {}
__global__ void large(int *p) { extern __shared__ int s[]; s[threadIdx.x] = 1; *p = s[0]; }
__device__ int variable[4];

static void places() {
  char host[4096];
  void *p; size_t pitch;
  cudaPitchedPtr box;
  cudaMemcpy3DParms c = {};
  cudaArray_t a;
  int dev;
  void *hp;
  EXPECT(cudaSuccess, cudaMallocPitch(&p, &pitch, 100, 10));
  EXPECT_VALUE(512, pitch);
  EXPECT(cudaErrorInvalidValue, cudaMallocPitch(&p, nullptr, 100, 10));
  EXPECT(cudaSuccess, cudaMallocPitch(&p, &pitch, 0, 10));
  EXPECT_VALUE(1, p == nullptr);
  EXPECT(cudaSuccess, cudaMallocPitch(&p, &pitch, 100, 10));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2D(p, pitch, host, 100, 101, 1, cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2D(p, pitch, host, 100, 100, 11, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaMemcpy2D(p, pitch, host, 100, 0, 10, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaMemset2D(p, 10, 0, 20, 1));
  EXPECT(cudaErrorInvalidValue, cudaMemset2D(p, pitch, 0, 100, 100));
  EXPECT(cudaErrorInvalidValue, cudaMalloc3D(nullptr, make_cudaExtent(16, 16, 16)));
  EXPECT(cudaSuccess, cudaMalloc3D(&box, make_cudaExtent(0, 16, 16)));
  EXPECT_VALUE(1, box.ptr == nullptr);
  EXPECT(cudaErrorInvalidValue, cudaMemcpy3D(nullptr));
  EXPECT(cudaSuccess, cudaMemcpy3D(&c));
  cudaChannelFormatDesc f = cudaCreateChannelDesc<float>(), bad = {3, 0, 0, 0,
         cudaChannelFormatKindFloat};
  EXPECT(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &bad, 16, 16));
  EXPECT(cudaErrorInvalidValue, cudaMallocArray(&a, nullptr, 16, 16));
  EXPECT(cudaErrorInvalidValue, cudaMallocArray(&a, &f, 0, 16));
  EXPECT(cudaErrorInvalidValue, cudaMallocArray(&a, &f, 1 << 20, 16));
  EXPECT(cudaSuccess, cudaMallocArray(&a, &f, 16, 16));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, host, 64, 64, 17,
         cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 8, 0, host, 64, 64, 16,
         cudaMemcpyHostToDevice));
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2DToArray(a, 0, 0, host, 32, 64, 16,
         cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaFreeArray(nullptr));
  EXPECT(cudaSuccess, cudaFreeArray(a));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(nullptr, 16, 0));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(host, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaHostRegister(host, 4096, 0x1000));
  EXPECT(cudaSuccess, cudaHostRegister(host, 4096, 0));
  EXPECT(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host, 4096, 0));
  EXPECT(cudaErrorInvalidValue, cudaHostUnregister(host + 16));
  EXPECT(cudaSuccess, cudaHostUnregister(host));
  EXPECT(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
  EXPECT(cudaErrorInvalidValue, cudaMallocHost(nullptr, 16));
  EXPECT(cudaSuccess, cudaMallocHost(&hp, 0));
  EXPECT_VALUE(1, hp == nullptr);
  EXPECT(cudaSuccess, cudaMalloc(&hp, 0));
  EXPECT_VALUE(1, hp == nullptr);
  EXPECT(cudaSuccess, cudaMallocManaged(&hp, 0, cudaMemAttachGlobal));
  EXPECT(cudaErrorInvalidValue, cudaMemPrefetchAsync(host, 16, {cudaMemLocationTypeDevice, 0}, 0,
         0));
  EXPECT(cudaErrorInvalidValue, cudaMemAdvise(p, 16, (cudaMemoryAdvise)77,
         {cudaMemLocationTypeDevice, 0}));
  EXPECT(cudaSuccess, cudaMemGetInfo(nullptr, nullptr));
  EXPECT(cudaErrorInvalidDevice, cudaMemcpyPeer(p, 0, p, 7, 16));
  EXPECT(cudaSuccess, cudaDeviceCanAccessPeer(&dev, 0, 0));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&dev, 0, 7));
  EXPECT(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  EXPECT(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetPCIBusId((char *)host, 4, 0));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetByPCIBusId(&dev, "nonsense"));
  EXPECT(cudaErrorInvalidValue, cudaSetDeviceFlags(0x1000));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetCacheConfig((cudaFuncCache)9));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetCacheConfig(nothing, (cudaFuncCache)9));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(nothing,
         cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(nothing,
         cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  int blocks;
  EXPECT(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0,
         0));
  EXPECT(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0));
  EXPECT_VALUE(0, blocks);
  EXPECT(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 128,
         1 << 20));
  EXPECT_VALUE(0, blocks);
  EXPECT(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel((void *)nothing,
         dim3(1 << 20), dim3(1024), nullptr, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaLaunchCooperativeKernel((void *)nothing, dim3(1), dim3(2048),
         nullptr, 0, 0));
}

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
  EXPECT(cudaErrorInvalidResourceHandle, cudaLaunchKernel((const void *)host, dim3(1), dim3(1),
         nullptr, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaFuncSetAttribute(large,
         cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
  EXPECT(cudaSuccess, cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize,
         64 << 10));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetLimit((cudaLimit)1000, 1));
  EXPECT(cudaErrorInvalidValue, cudaHostGetDevicePointer(&p, host, 0));
  EXPECT(cudaErrorInvalidValue, cudaPointerGetAttributes(nullptr, host));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(1000, 0));
  places();
  return judged();
}
