// Misuse of streams, events, captures, graphs and pools, and what an H100 answers (driver 580.159.04,
// CUDA 13.0, 2026-11-22). Prints what differs, and "passed" where nothing does.
#include "expect.h"

__global__ void nothing() {}
__global__ void add(int *p, int n) { p[threadIdx.x] += n; }

static void streams() {
  cudaStream_t s, t;
  cudaEvent_t e; unsigned flags;
  int priority;
  cudaStreamCaptureStatus status;
  cudaGraph_t g;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  EXPECT(cudaSuccess, cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -100));
  EXPECT(cudaSuccess, cudaStreamGetPriority(t, &priority));
  EXPECT_VALUE(-5, priority);
  EXPECT(cudaSuccess, cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, 100));
  EXPECT(cudaSuccess, cudaStreamGetPriority(t, &priority));
  EXPECT_VALUE(0, priority);
  EXPECT(cudaSuccess, cudaStreamGetFlags(t, &flags));
  EXPECT_VALUE(1, flags);
  EXPECT(cudaErrorInvalidValue, cudaStreamGetFlags(t, nullptr));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(s, nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaStreamWaitEvent(s, e, 77));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr, s));
  EXPECT(cudaErrorInvalidValue, cudaEventRecordWithFlags(e, s, 77));
  EXPECT(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
  EXPECT(cudaErrorInvalidValue, cudaEventCreate(nullptr));
  EXPECT(cudaErrorInvalidValue, cudaEventCreateWithFlags(&e, cudaEventInterprocess));
  EXPECT(cudaErrorInvalidValue, cudaEventElapsedTime(nullptr, e, e));
  EXPECT(cudaErrorInvalidValue, cudaLaunchHostFunc(s, nullptr, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaStreamAddCallback(s, nullptr, nullptr, 0));
  EXPECT(cudaErrorIllegalState, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaStreamIsCapturing(s, &status));
  EXPECT_VALUE(0, status);
  EXPECT(cudaSuccess, cudaStreamIsCapturing(nullptr, &status));
  EXPECT_VALUE(0, status);
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr,
         cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy,
         cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorInvalidValue, cudaStreamBeginCapture(s, (cudaStreamCaptureMode)9));
  EXPECT(cudaErrorInvalidValue, cudaStreamGetPriority(s, nullptr));
  EXPECT(cudaSuccess, cudaStreamDestroy(s));
}

// What a call answers while a stream is captured, and whether the capture outlives it.
#define EXPECT_CAPTURING(stated, after, mode, call)                                       \
  do {                                                                                    \
    cudaStreamBeginCapture(s, cudaStreamCaptureMode##mode);                               \
    EXPECT(stated, call);                                                                 \
    cudaStreamIsCapturing(s, &status);                                                    \
    EXPECT_VALUE(cudaStreamCaptureStatus##after, status);                                 \
    EXPECT(status == cudaStreamCaptureStatusActive ? cudaSuccess                          \
                                                   : cudaErrorStreamCaptureInvalidated,   \
           cudaStreamEndCapture(s, &g));                                                  \
  } while (0)

static void calls_while_capturing() {
  cudaStream_t s, t;
  cudaEvent_t e, o;
  cudaGraph_t g;
  void *p;
  float milliseconds;
  cudaStreamCaptureStatus status;
  cudaStreamCreate(&s);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaEventCreate(&o);
  cudaMalloc(&p, 1024);
  cudaEventRecord(o);
  cudaDeviceSynchronize();
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, ThreadLocal,
         cudaDeviceSynchronize());
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Relaxed,
         cudaDeviceSynchronize());
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, ThreadLocal, cudaMalloc(&p, 16));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global, cudaFree(p));
  EXPECT_CAPTURING(cudaErrorStreamCaptureImplicit, Invalidated, Relaxed, cudaMemcpy(p, p, 16,
         cudaMemcpyDeviceToDevice));
  EXPECT_CAPTURING(cudaErrorStreamCaptureImplicit, Invalidated, Relaxed, cudaMemset(p, 0, 16));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global, cudaEventQuery(o));
  EXPECT_CAPTURING(cudaSuccess, Active, Relaxed, cudaEventQuery(o));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global, cudaEventSynchronize(o));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global, cudaStreamQuery(t));
  EXPECT_CAPTURING(cudaSuccess, Active, Relaxed, cudaStreamQuery(t));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global,
         cudaStreamSynchronize(t));
  EXPECT_CAPTURING(cudaErrorStreamCaptureIsolation, Invalidated, Global, cudaStreamWaitEvent(s, o,
         0));
  EXPECT_CAPTURING(cudaErrorStreamCaptureUnsupported, Invalidated, Global, cudaMallocHost(&p, 16));
  EXPECT_CAPTURING(cudaSuccess, Active, Global, cudaStreamCreate(&t));
  EXPECT_CAPTURING(cudaSuccess, Active, Global, cudaEventCreate(&o));
  EXPECT_CAPTURING(cudaSuccess, Active, Global, cudaStreamDestroy(t));
  EXPECT_CAPTURING(cudaErrorStreamCaptureImplicit, Invalidated, Relaxed, cudaStreamQuery(nullptr));
  EXPECT_CAPTURING(cudaErrorStreamCaptureImplicit, Invalidated, Relaxed, cudaEventRecord(o,
         nullptr));
  EXPECT_CAPTURING(cudaErrorStreamCaptureImplicit, Invalidated, Relaxed, cudaMallocAsync(&p, 16,
         nullptr));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(e, s);
  cudaStreamEndCapture(s, &g);
  EXPECT(cudaErrorInvalidValue, cudaEventQuery(e));
  EXPECT(cudaErrorInvalidValue, cudaEventSynchronize(e));
  EXPECT(cudaErrorInvalidValue, cudaEventElapsedTime(&milliseconds, e, e));
}

static void captures() {
  cudaStream_t s, t;
  cudaEvent_t e;
  cudaGraph_t g = nullptr;
  cudaStreamCaptureStatus status;
  void *p;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&e);
  cudaMalloc(&p, 1024);
  void *q;
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  EXPECT(cudaErrorIllegalState, cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(s));
  EXPECT(cudaSuccess, cudaStreamIsCapturing(s, &status));
  EXPECT_VALUE(2, status);
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT_VALUE(0, g != nullptr);
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT_VALUE(0, g != nullptr);
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureImplicit, cudaMemcpy(p, p, 16, cudaMemcpyDeviceToDevice));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  EXPECT(cudaErrorStreamCaptureUnsupported, cudaMalloc(&q, 16));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaSuccess, cudaMalloc(&q, 16));
  EXPECT(cudaSuccess, cudaStreamEndCapture(s, &g));
  EXPECT_VALUE(1, g != nullptr);
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaSuccess, cudaEventRecord(e, s));
  EXPECT(cudaErrorCapturedEvent, cudaEventQuery(e));
  EXPECT(cudaSuccess, cudaStreamIsCapturing(s, &status));
  EXPECT_VALUE(2, status);
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  EXPECT(cudaSuccess, cudaEventRecord(e, s));
  EXPECT(cudaSuccess, cudaStreamWaitEvent(t, e, 0));
  EXPECT(cudaSuccess, cudaStreamIsCapturing(t, &status));
  EXPECT_VALUE(1, status);
  EXPECT(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(t, &g));
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT_VALUE(0, g != nullptr);
  EXPECT(cudaSuccess, cudaStreamQuery(t));
  EXPECT(cudaSuccess, cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  nothing<<<1, 1>>>();
  EXPECT(cudaErrorStreamCaptureImplicit, cudaGetLastError());
  EXPECT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &g));
  EXPECT(cudaSuccess, cudaDeviceSynchronize());
  // A stream that joined, was given work, and did not come back.
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  nothing<<<1, 1, 0, t>>>();
  EXPECT(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(s, &g));
  EXPECT_VALUE(1, g == nullptr);
  EXPECT(cudaSuccess, cudaStreamIsCapturing(t, &status));
  EXPECT_VALUE(0, status);
}

static void graphs() {
  cudaGraph_t g, h;
  cudaGraphExec_t x;
  cudaGraphNode_t a, b, n; size_t count = 77;
  int *p, ten = 10;
  cudaMalloc(&p, 1024);
  void *args[] = {&p, &ten};
  cudaKernelNodeParams k = {};
  EXPECT(cudaErrorInvalidValue, cudaGraphCreate(nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphCreate(&g, 1));
  EXPECT(cudaSuccess, cudaGraphCreate(&g, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphInstantiate(&x, nullptr, 0));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&x, g, 0));
  EXPECT(cudaSuccess, cudaGraphLaunch(x, 0));
  EXPECT(cudaSuccess, cudaGraphAddEmptyNode(&a, g, nullptr, 0));
  EXPECT(cudaSuccess, cudaGraphAddEmptyNode(&b, g, &a, 1));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&n, g, nullptr, 1));
  EXPECT(cudaSuccess, cudaGraphAddDependencies(g, &b, &a, nullptr, 1));
  EXPECT(cudaErrorInvalidValue, cudaGraphInstantiate(&x, g, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddDependencies(g, &a, &b, nullptr, 1));
  EXPECT(cudaErrorInvalidValue, cudaGraphAddKernelNode(&n, g, nullptr, 0, nullptr));
  EXPECT(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&n, g, nullptr, 0, &k));
  EXPECT(cudaSuccess, cudaGraphGetNodes(g, nullptr, &count));
  EXPECT_VALUE(2, count);
  EXPECT(cudaErrorInvalidValue, cudaGraphGetNodes(g, nullptr, nullptr));
  EXPECT(cudaSuccess, cudaGraphDestroy(g));
  EXPECT(cudaSuccess, cudaGraphCreate(&h, 0));
  k.func = (void *)add;
  k.gridDim = dim3(1);
  k.blockDim = dim3(32);
  k.kernelParams = args;
  EXPECT(cudaSuccess, cudaGraphAddKernelNode(&n, h, nullptr, 0, &k));
  k.blockDim = dim3(2048);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddKernelNode(&a, h, nullptr, 0, &k));
  k.blockDim = dim3(32);
  k.gridDim = dim3(0);
  EXPECT(cudaErrorInvalidValue, cudaGraphAddKernelNode(&a, h, nullptr, 0, &k));
  EXPECT(cudaErrorInvalidValue, cudaGraphKernelNodeSetParams(n, &k));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&x, h, 0));
  cudaGraphNodeType type;
  EXPECT(cudaSuccess, cudaGraphNodeGetType(n, &type));
  EXPECT_VALUE(0, type);
  cudaMemsetParams m = {};
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&a, h, nullptr, 0, &m));
  m.dst = p;
  m.elementSize = 3;
  m.width = 4;
  m.height = 1;
  EXPECT(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&a, h, nullptr, 0, &m));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(x));
  EXPECT(cudaSuccess, cudaGraphDestroyNode(n));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(nullptr, 0));
}

static void pools() {
  cudaMemPool_t first, own, now;
  void *p, *q; size_t value = 1;
  int flag = 7;
  cudaMemPoolProps props = {};
  cudaMemAccessDesc access = {};
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  cudaMemAccessFlags flags;
  EXPECT(cudaSuccess, cudaDeviceGetDefaultMemPool(&first, 0));
  EXPECT(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&first, 7));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetDefaultMemPool(nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetMemPool(&now, 7));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolCreate(nullptr, &props));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolCreate(&own, nullptr));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &props));
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 7};
  EXPECT(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &props));
  props.location = here;
  props.handleTypes = (cudaMemAllocationHandleType)0x40;
  EXPECT(cudaErrorInvalidValue, cudaMemPoolCreate(&own, &props));
  props.handleTypes = cudaMemHandleTypeNone;
  EXPECT(cudaSuccess, cudaMemPoolCreate(&own, &props));
  EXPECT(cudaSuccess, cudaMallocFromPoolAsync(&p, 4096, own, 0));
  EXPECT(cudaSuccess, cudaMallocFromPoolAsync(&q, 0, own, 0));
  EXPECT_VALUE(1, q == nullptr);
  EXPECT(cudaErrorInvalidValue, cudaMallocFromPoolAsync(nullptr, 16, own, 0));
  EXPECT(cudaErrorMemoryAllocation, cudaMallocAsync(&q, (size_t)1 << 46, 0));
  EXPECT(cudaErrorInvalidValue, cudaMallocAsync(nullptr, 16, 0));
  EXPECT(cudaSuccess, cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &value));
  EXPECT_VALUE(4096, value);
  EXPECT(cudaSuccess, cudaFreeAsync(nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync((char *)p + 256, 0));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(&flag, 0));
  EXPECT(cudaSuccess, cudaFreeAsync(p, 0));
  EXPECT(cudaErrorInvalidValue, cudaFreeAsync(p, 0));
  EXPECT(cudaSuccess, cudaMalloc(&p, 64));
  EXPECT(cudaSuccess, cudaFreeAsync(p, 0));
  EXPECT(cudaSuccess, cudaMallocAsync(&p, 64, 0));
  EXPECT(cudaSuccess, cudaFree(p));
  EXPECT(cudaSuccess, cudaMemPoolSetAccess(own, &access, 0));
  access.location = {cudaMemLocationTypeDevice, 7};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT(cudaErrorInvalidDevice, cudaMemPoolSetAccess(own, &access, 1));
  access.location = here;
  access.flags = cudaMemAccessFlagsProtNone;
  EXPECT(cudaErrorInvalidDevice, cudaMemPoolSetAccess(own, &access, 1));
  EXPECT(cudaSuccess, cudaMemPoolGetAccess(&flags, own, &here));
  EXPECT_VALUE(3, flags);
  EXPECT(cudaErrorInvalidValue, cudaMemPoolGetAccess(&flags, own, nullptr));
  EXPECT(cudaSuccess, cudaMemPoolTrimTo(own, 0));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolTrimTo(nullptr, 0));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetMemPool(7, own));
  EXPECT(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, nullptr));
  EXPECT(cudaSuccess, cudaDeviceSetMemPool(0, own));
  EXPECT(cudaSuccess, cudaDeviceGetMemPool(&now, 0));
  EXPECT_VALUE(1, now == own);
  EXPECT(cudaSuccess, cudaMemPoolDestroy(own));
  EXPECT(cudaSuccess, cudaDeviceGetMemPool(&now, 0));
  EXPECT_VALUE(1, now == first);
  EXPECT(cudaErrorInvalidValue, cudaMemPoolDestroy(first));
  EXPECT(cudaErrorInvalidValue, cudaMemPoolDestroy(nullptr));
}

int main() {
  streams();
  calls_while_capturing();
  captures();
  graphs();
  pools();
  return judged();
}
