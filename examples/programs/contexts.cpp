// What is refused before cuInit and in a thread without a context, and the contexts of threads: made, pushed,
// popped, destroyed. Expected is what an H100 answered (driver 580.159.04). Prints "passed".
#include <cuda.h>
#include <cuda_runtime.h>
#include <thread>

#include "expect.h"

static const char *ptx = R"(.version 7.0
.target sm_80
.address_size 64
.global .u32 word;
.visible .entry nothing() { ret; }
)";

static char host[64];
static CUcontext primary;

static void host_function(void *) {}

static CUcontext now() {
  CUcontext context = nullptr;
  EXPECT_VALUE(0, cuCtxGetCurrent(&context));
  return context;
}

static int active() {
  unsigned flags;
  int active = -1;
  EXPECT_VALUE(0, cuDevicePrimaryCtxGetState(0, &flags, &active));
  return active;
}

static void before_init() {
  CUcontext context;
  CUdevice device;
  CUdeviceptr pointer;
  const char *name;
  int number;
  EXPECT_VALUE(0, cuDriverGetVersion(&number));
  EXPECT_VALUE(0, cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &name));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&number));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuDevicePrimaryCtxRetain(&context, 0));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuCtxSynchronize());
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  EXPECT_VALUE(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetCurrent(&context));
  EXPECT_VALUE(0, cuInit(0));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuInit(1));
}

static void without_context() {
  const CUresult none = CUDA_ERROR_INVALID_CONTEXT;
  CUcontext context;
  CUdevice device;
  CUdeviceptr pointer = 0;
  CUstream stream;
  CUevent event;
  CUmodule module;
  void *pinned;
  size_t bytes;
  unsigned flags;
  unsigned long long id;
  EXPECT_VALUE(0, now());
  EXPECT_VALUE(none, cuCtxPopCurrent(&context));
  EXPECT_VALUE(none, cuCtxGetDevice(&device));
  EXPECT_VALUE(none, cuCtxSynchronize());
  EXPECT_VALUE(none, cuCtxGetLimit(&bytes, CU_LIMIT_STACK_SIZE));
  EXPECT_VALUE(none, cuCtxGetFlags(&flags));
  EXPECT_VALUE(none, cuCtxGetApiVersion(nullptr, &flags));
  EXPECT_VALUE(none, cuCtxGetId(nullptr, &id));
  EXPECT_VALUE(none, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(none, cuMemHostAlloc(&pinned, 64, 0));
  EXPECT_VALUE(none, cuMemAllocManaged(&pointer, 64, CU_MEM_ATTACH_GLOBAL));
  EXPECT_VALUE(none, cuMemGetInfo(&bytes, &bytes));
  EXPECT_VALUE(none, cuMemcpyDtoH(host, 4096, 4));
  EXPECT_VALUE(none, cuStreamCreate(&stream, 0));
  EXPECT_VALUE(none, cuStreamSynchronize(nullptr));
  EXPECT_VALUE(none, cuStreamQuery(nullptr));
  EXPECT_VALUE(none, cuEventCreate(&event, 0));
  EXPECT_VALUE(none, cuLaunchHostFunc(nullptr, host_function, nullptr));
  EXPECT_VALUE(none, cuModuleLoadData(&module, ptx));
  EXPECT_VALUE(0, cuMemFree(0));
  EXPECT_VALUE(0, cuCtxSetCurrent(nullptr));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuCtxPushCurrent(nullptr));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuCtxDestroy(nullptr));
}

static void libraries() {
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  CUmodule module;
  CUdeviceptr pointer;
  size_t bytes;
  int number;
  EXPECT_VALUE(0, cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  EXPECT_VALUE(0, cuLibraryGetKernel(&kernel, library, "nothing"));
  EXPECT_VALUE(0, cuKernelGetAttribute(&number, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuKernelGetFunction(&function, kernel));
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetGlobal(&pointer, &bytes, library, "word"));
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetModule(&module, library));
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT,
               cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_VALUE(0, cuLibraryUnload(library));
}

static void virtual_memory() {
  CUmemAllocationProp properties = {};
  CUmemGenericAllocationHandle memory;
  CUdeviceptr pointer;
  const size_t bytes = 2 << 20;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  EXPECT_VALUE(0, cuMemCreate(&memory, bytes, &properties, 0));
  EXPECT_VALUE(0, cuMemAddressReserve(&pointer, bytes, 0, 0, 0));
  EXPECT_VALUE(0, cuMemMap(pointer, bytes, 0, memory, 0));
  EXPECT_VALUE(0, cuMemUnmap(pointer, bytes));
  EXPECT_VALUE(0, cuMemRelease(memory));
  EXPECT_VALUE(0, cuMemAddressFree(pointer, bytes));
}

static void primary_context() {
  CUcontext again;
  CUdeviceptr pointer, other;
  EXPECT_VALUE(0, active());
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  EXPECT_VALUE(0, cuDevicePrimaryCtxRetain(&primary, 0));
  EXPECT_VALUE(0, now());
  EXPECT_VALUE(1, active());
  EXPECT_VALUE(0, cuDevicePrimaryCtxRetain(&again, 0));
  EXPECT_VALUE(1, again == primary);
  EXPECT_VALUE(0, cuDevicePrimaryCtxRelease(0));
  EXPECT_VALUE(1, active());
  EXPECT_VALUE(0, cuCtxSetCurrent(primary));
  EXPECT_VALUE(0, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(0, cuMemsetD8(pointer, 1, 64));
  EXPECT_VALUE(0, cuDevicePrimaryCtxRelease(0));
  EXPECT_VALUE(0, active());
  EXPECT_VALUE(1, now() == primary);
  EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemcpyDtoH(host, pointer, 4));
  EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&other, 64));
  EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
  EXPECT_VALUE(0, cuDevicePrimaryCtxRetain(&again, 0));
  EXPECT_VALUE(1, again == primary);
  EXPECT_VALUE(1, now() == primary);
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, pointer, 4));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuMemFree(pointer));
  EXPECT_VALUE(0, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(0, cuMemFree(pointer));
  EXPECT_VALUE(0, cuCtxSetCurrent(nullptr));
  EXPECT_VALUE(0, now());
}

static void stacks(CUcontext &a, CUcontext &b) {
  CUcontext popped;
  unsigned flags, version;
  unsigned long long id, same, other;
  EXPECT_VALUE(0, cuCtxCreate(&a, nullptr, 0, 0));
  EXPECT_VALUE(1, now() == a && a != primary);
  EXPECT_VALUE(0, cuCtxGetId(a, &id));
  EXPECT_VALUE(0, cuCtxGetId(nullptr, &same));
  EXPECT_VALUE(0, cuCtxGetId(primary, &other));
  EXPECT_VALUE(1, id == same && id != other);
  EXPECT_VALUE(0, cuCtxGetApiVersion(a, &version));
  EXPECT_VALUE(3020, version);
  EXPECT_VALUE(0, cuCtxCreate(&b, nullptr, CU_CTX_SCHED_SPIN, 0));
  EXPECT_VALUE(1, now() == b && a != b);
  EXPECT_VALUE(0, cuCtxGetFlags(&flags));
  EXPECT_VALUE(CU_CTX_SCHED_SPIN, flags);
  EXPECT_VALUE(0, cuCtxSetFlags(CU_CTX_SCHED_YIELD));
  EXPECT_VALUE(0, cuCtxGetFlags(&flags));
  EXPECT_VALUE(CU_CTX_SCHED_YIELD, flags);
  EXPECT_VALUE(0, cuCtxPopCurrent(&popped));
  EXPECT_VALUE(1, popped == b && now() == a);
  EXPECT_VALUE(0, cuCtxPushCurrent(b));
  EXPECT_VALUE(0, cuCtxSetCurrent(primary));
  EXPECT_VALUE(1, now() == primary);
  EXPECT_VALUE(0, cuCtxPopCurrent(&popped));
  EXPECT_VALUE(1, popped == primary && now() == a);
  EXPECT_VALUE(0, cuCtxPopCurrent(nullptr));
  EXPECT_VALUE(0, now());
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
  EXPECT_VALUE(0, cuCtxPushCurrent(a));
  EXPECT_VALUE(0, cuCtxPushCurrent(b));
  EXPECT_VALUE(0, cuCtxSetCurrent(nullptr));
  EXPECT_VALUE(1, now() == a);
}

static void destroyed(CUcontext a, CUcontext b) {
  CUcontext owner;
  CUdeviceptr pointer;
  CUstream stream;
  unsigned version;
  EXPECT_VALUE(0, cuCtxSetCurrent(b));
  EXPECT_VALUE(0, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(0, cuMemsetD8(pointer, 1, 64));
  EXPECT_VALUE(0, cuStreamCreate(&stream, 0));
  EXPECT_VALUE(0, cuStreamGetCtx(stream, &owner));
  EXPECT_VALUE(1, owner == b);
  EXPECT_VALUE(0, cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, pointer));
  EXPECT_VALUE(1, owner == b);
  EXPECT_VALUE(0, cuCtxPushCurrent(a));
  EXPECT_VALUE(0, cuStreamGetCtx(stream, &owner));
  EXPECT_VALUE(1, owner == b);
  EXPECT_VALUE(0, cuMemcpyDtoH(host, pointer, 4));
  EXPECT_VALUE(0, cuStreamSynchronize(stream));
  EXPECT_VALUE(0, cuCtxPopCurrent(&owner));
  EXPECT_VALUE(1, now() == b);
  EXPECT_VALUE(0, cuCtxDestroy(b));
  EXPECT_VALUE(0, now());
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion(b, &version));
  EXPECT_VALUE(0, cuCtxPushCurrent(a));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, pointer, 4));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, cuMemFree(pointer));
  std::thread([&] {
    EXPECT_VALUE(0, now());
    EXPECT_VALUE(0, cuCtxDestroy(a));
    EXPECT_VALUE(0, now());
  }).join();
  EXPECT_VALUE(1, now() == a);
  EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&pointer, 64));
  EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
}

static void runtime() {
  std::thread([] {
    int number;
    EXPECT(cudaSuccess, cudaGetDeviceCount(&number));
    EXPECT(cudaSuccess, cudaGetDevice(&number));
    EXPECT(cudaSuccess, cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0));
    EXPECT(cudaSuccess, cudaPeekAtLastError());
    EXPECT_VALUE(0, now());
    EXPECT(cudaSuccess, cudaSetDevice(0));
    EXPECT_VALUE(1, now() == primary);
  }).join();
  std::thread([] {
    void *pointer;
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT_VALUE(1, now() == primary);
    EXPECT(cudaSuccess, cudaFree(pointer));
  }).join();
  std::thread([] {
    CUcontext a, owner;
    void *pointer;
    EXPECT_VALUE(0, cuCtxCreate(&a, nullptr, 0, 0));
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT_VALUE(1, now() == a);
    EXPECT_VALUE(0, cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)pointer));
    EXPECT_VALUE(1, owner == a);
    EXPECT(cudaSuccess, cudaFree(pointer));
    EXPECT(cudaSuccess, cudaSetDevice(0));
    EXPECT_VALUE(1, now() == primary);
    EXPECT_VALUE(0, cuCtxPopCurrent(nullptr));
    EXPECT_VALUE(0, now());
    EXPECT_VALUE(0, cuCtxDestroy(a));
    EXPECT(cudaSuccess, cudaFree(nullptr));
    EXPECT_VALUE(1, now() == primary);
  }).join();
}

// The runtime holds the primary context, too.
static void reset() {
  std::thread([] {
    void *pointer;
    unsigned flags;
    int is_active;
    EXPECT_VALUE(1, active());
    EXPECT_VALUE(0, cuDevicePrimaryCtxRelease(0));
    EXPECT_VALUE(1, active());
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT_VALUE(1, now() == primary);
    EXPECT(cudaSuccess, cudaDeviceReset());
    EXPECT_VALUE(0, active());
    EXPECT_VALUE(1, now() == primary);
    EXPECT(cudaErrorInvalidValue, cudaFree(pointer));
    EXPECT_VALUE(1, active());
    EXPECT_VALUE(1, now() == primary);
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT(cudaSuccess, cudaFree(pointer));
    EXPECT(cudaSuccess, cudaDeviceReset());
    EXPECT_VALUE(0, cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    EXPECT_VALUE(0, cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    EXPECT_VALUE(CU_CTX_SCHED_SPIN, flags);
    EXPECT_VALUE(0, is_active);
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT_VALUE(1, now() == primary);
    EXPECT_VALUE(0, cuDevicePrimaryCtxReset(0));
    EXPECT_VALUE(0, active());
    EXPECT_VALUE(1, now() == primary);
    EXPECT_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    EXPECT(cudaSuccess, cudaMalloc(&pointer, 64));
    EXPECT_VALUE(1, active());
  }).join();
}

int main() {
  CUcontext a, b;
  before_init();
  without_context();
  libraries();
  virtual_memory();
  primary_context();
  stacks(a, b);
  destroyed(a, b);
  runtime();
  reset();
  std::thread([] { EXPECT(cudaSuccess, cudaGetLastError()); }).join();
  return judged();
}
