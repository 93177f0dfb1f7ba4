// Functions of the driver that few programs call: words written and waited for together, in streams
// and graphs; nodes by the structures of the driver; launches as CUDA 3 had them; copies of arrays in
// streams; handles of mapped memory; what is asked of contexts and pointers. Prints "passed", or each
// answer that is another.
#include <cuda.h>
#include <cstdio>
#include <cstring>
#include <vector>

static int wrong;

#define EXPECT(code, call)                                                          \
  do {                                                                              \
    CUresult error = (call);                                                        \
    if (error != (code)) wrong++, printf("%d: %s: %d\n", __LINE__, #call, error);   \
  } while (0)
#define CHECK(call) EXPECT(CUDA_SUCCESS, call)
#define EQUAL(expected, found)                                                                       \
  do {                                                                                               \
    long long e = (long long)(expected), f = (long long)(found);                                     \
    if (e != f) wrong++, printf("%d: %s: %lld, not %lld\n", __LINE__, #found, f, e);                 \
  } while (0)

// Old names, which cuda.h gives to newer functions.
#undef cuGraphAddNode
#undef cuGraphExecUpdate
#undef cuGraphInstantiate
#undef cuStreamGetCaptureInfo
extern "C" {
CUresult cuGraphAddNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraphNodeParams *);
CUresult cuGraphAddNode_v2(CUgraphNode *, CUgraph, const CUgraphNode *, const CUgraphEdgeData *, size_t,
                           CUgraphNodeParams *);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);
CUresult cuGraphInstantiate(CUgraphExec *, CUgraph, CUgraphNode *, char *, size_t);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus *, cuuint64_t *);
}

static const char *ptx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 a, .param .f32 by, .param .u32 plus)
{
  .reg .b32 %r<4>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.f32 %f1, [by];
  ld.param.u32 %r1, [plus];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r2, %r2, 32, %r3;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  add.u32 %r2, %r2, %r1;
  cvt.rn.f32.u32 %f2, %r2;
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
)";

static CUstreamBatchMemOpParams word(CUstreamBatchMemOpType type, CUdeviceptr at, cuuint64_t value,
                                     unsigned flags = 0) {
  CUstreamBatchMemOpParams made;
  memset(&made, 0, sizeof made);
  made.operation = type;
  made.writeValue.address = at;
  made.writeValue.value64 = value;
  made.writeValue.flags = flags;
  return made;
}

// A stream waits for what another writes, several words in one call.
static void words(CUdeviceptr memory) {
  CUstream one, two;
  CHECK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemsetD32(memory, 0, 64));
  CUstreamBatchMemOpParams waits[] = {
      word(CU_STREAM_MEM_OP_WAIT_VALUE_32, memory, 7, CU_STREAM_WAIT_VALUE_GEQ),
      word(CU_STREAM_MEM_OP_WAIT_VALUE_64, memory + 8, 1ll << 40, CU_STREAM_WAIT_VALUE_EQ),
      word(CU_STREAM_MEM_OP_WRITE_VALUE_32, memory + 16, 11)};
  CUstreamBatchMemOpParams writes[] = {word(CU_STREAM_MEM_OP_WRITE_VALUE_64, memory + 8, 1ll << 40),
                                       word(CU_STREAM_MEM_OP_WRITE_VALUE_32, memory, 8)};
  CHECK(cuStreamBatchMemOp(one, 3, waits, 0));
  EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(one));
  CHECK(cuStreamBatchMemOp(two, 2, writes, 0));
  CHECK(cuStreamSynchronize(one));
  unsigned host[5];
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(8, host[0]);
  EQUAL(256, host[3]);
  EQUAL(11, host[4]);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, 2, writes, 8));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, 257, writes, 0));
  CUstreamBatchMemOpParams unknown = word((CUstreamBatchMemOpType)99, memory, 0);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamBatchMemOp(one, 1, &unknown, 0));
  CUgreenCtx green = (CUgreenCtx)1;
  CHECK(cuStreamGetGreenCtx(one, &green));
  EQUAL(0, (size_t)green);
  CHECK(cuStreamDestroy(one));
  CHECK(cuStreamDestroy(two));
}

// Words in a graph, told again and replaced.
static void wordsOfGraphs(CUdeviceptr memory, CUcontext context) {
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode node, after;
  CUstreamBatchMemOpParams writes[] = {word(CU_STREAM_MEM_OP_WRITE_VALUE_32, memory, 21),
                                       word(CU_STREAM_MEM_OP_WRITE_VALUE_32, memory + 4, 22)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS parameters = {context, 2, writes, 0}, told;
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters));
  CUgraphNodeParams wait;
  memset(&wait, 0, sizeof wait);
  CUstreamBatchMemOpParams waits[] = {
      word(CU_STREAM_MEM_OP_WAIT_VALUE_32, memory + 4, 22, CU_STREAM_WAIT_VALUE_EQ),
      word(CU_STREAM_MEM_OP_WRITE_VALUE_32, memory + 8, 23)};
  wait.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  wait.memOp.ctx = context;
  wait.memOp.count = 2;
  wait.memOp.paramArray = waits;
  CHECK(cuGraphAddNode_v2(&after, graph, &node, nullptr, 1, &wait));
  CHECK(cuGraphBatchMemOpNodeGetParams(node, &told));
  EQUAL(2, told.count);
  EQUAL(22, told.paramArray[1].writeValue.value);
  CUgraphNodeType type;
  CHECK(cuGraphNodeGetType(node, &type));
  EQUAL(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, type);
  char log[8] = "before";
  CUgraphNode failed = node;
  CHECK(cuGraphInstantiate(&executable, graph, &failed, log, sizeof log));
  CHECK(cuMemsetD32(memory, 0, 4));
  CHECK(cuGraphLaunch(executable, nullptr));
  unsigned host[3];
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(21, host[0]);
  EQUAL(23, host[2]);
  writes[0].writeValue.value = 31;
  CHECK(cuGraphExecBatchMemOpNodeSetParams(executable, node, &parameters));
  CHECK(cuGraphLaunch(executable, nullptr));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(31, host[0]);
  writes[0].writeValue.value = 41;
  CHECK(cuGraphBatchMemOpNodeSetParams(node, &parameters));
  CUgraphExecUpdateResult result;
  CHECK(cuGraphExecUpdate(executable, graph, &failed, &result));
  EQUAL(CU_GRAPH_EXEC_UPDATE_SUCCESS, result);
  CHECK(cuGraphLaunch(executable, nullptr));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(41, host[0]);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
}

// Nodes of any kind by the structures of the driver.
static void nodes(CUdeviceptr memory, CUcontext context) {
  CUgraph graph, other;
  CUgraphExec executable;
  CUgraphNode fill, copy, odd;
  CUgraphNodeParams parameters;
  unsigned host[4] = {};
  CHECK(cuGraphCreate(&graph, 0));
  memset(&parameters, 0, sizeof parameters);
  parameters.type = CU_GRAPH_NODE_TYPE_MEMSET;
  parameters.memset.dst = memory;
  parameters.memset.value = 5;
  parameters.memset.elementSize = 4;
  parameters.memset.width = 4;
  parameters.memset.height = 1;
  parameters.memset.ctx = context;
  CHECK(cuGraphAddNode(&fill, graph, nullptr, 0, &parameters));
  CUDA_MEMCPY3D box, told;
  memset(&box, 0, sizeof box);
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = memory;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host;
  box.srcPitch = box.dstPitch = 16;
  box.WidthInBytes = 16;
  box.Height = box.Depth = 1;
  CHECK(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &box, context));
  CHECK(cuGraphMemcpyNodeGetParams(copy, &told));
  EQUAL(memory, told.srcDevice);
  EQUAL((size_t)host, (size_t)told.dstHost);
  EQUAL(CU_MEMORYTYPE_HOST, told.dstMemoryType);
  EQUAL(16, told.WidthInBytes);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphMemcpyNodeGetParams(fill, &told));
  CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, nullptr));
  CHECK(cuCtxSynchronize());
  EQUAL(5, host[3]);
  parameters.memset.value = 6;
  CHECK(cuGraphExecNodeSetParams(executable, fill, &parameters));
  CHECK(cuGraphLaunch(executable, nullptr));
  CHECK(cuCtxSynchronize());
  EQUAL(6, host[3]);
  parameters.memset.value = 7;
  CHECK(cuGraphNodeSetParams(fill, &parameters));
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, nullptr));
  CHECK(cuCtxSynchronize());
  EQUAL(7, host[3]);
  // another graph has other nodes
  CHECK(cuGraphCreate(&other, 0));
  CHECK(cuGraphAddEmptyNode(&odd, other, nullptr, 0));
  CUgraphExecUpdateResult result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  EXPECT(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, cuGraphExecUpdate(executable, other, &odd, &result));
  EQUAL(CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, result);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuGraphDestroy(other));
}

// Launches whose block and arguments belong to the function.
static void early(CUfunction scale, CUdeviceptr memory) {
  float host[64];
  CHECK(cuFuncSetBlockShape(scale, 32, 1, 1));
  CHECK(cuFuncSetSharedSize(scale, 128));
  CHECK(cuParamSetv(scale, 0, &memory, sizeof memory));
  CHECK(cuParamSetf(scale, 8, 0.5f));
  CHECK(cuParamSeti(scale, 12, 4));
  CHECK(cuParamSetSize(scale, 16));
  CHECK(cuMemsetD32(memory, 0, 64));
  CHECK(cuLaunch(scale));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(2, host[0]);
  EQUAL(35, 2 * host[31]);
  EQUAL(0, host[32]);
  CHECK(cuLaunchGrid(scale, 2, 1));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(67, 2 * host[63]);
  CUstream stream;
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuParamSeti(scale, 12, 6));
  CHECK(cuLaunchGridAsync(scale, 2, 1, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(69, 2 * host[63]);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuFuncSetBlockShape(scale, 0, 1, 1));
  float by = 2;
  unsigned plus = 1;
  void *arguments[] = {&memory, &by, &plus};
  CUDA_LAUNCH_PARAMS together = {scale, 2, 1, 1, 32, 1, 1, 0, stream, arguments};
  CHECK(cuLaunchCooperativeKernelMultiDevice(&together, 1, 0));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(host, memory, sizeof host));
  EQUAL(128, host[63]);
  CHECK(cuStreamDestroy(stream));
}

static void arrays(CUdeviceptr memory) {
  CUarray array, plane;
  CUDA_ARRAY_DESCRIPTOR line = {64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUstream stream;
  char from[64], to[64] = {};
  for (int i = 0; i < 64; i++) from[i] = (char)(3 * i);
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuArrayCreate(&array, &line));
  CHECK(cuMemcpyHtoAAsync(array, 0, from, 64, stream));
  CHECK(cuMemcpyAtoHAsync(to, array, 8, 56, stream));
  CHECK(cuStreamSynchronize(stream));
  EQUAL(0, memcmp(from + 8, to, 56));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayGetPlane(&plane, array, 0));
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayGetMemoryRequirements(&needs, array, 0));
  CUDA_ARRAY_SPARSE_PROPERTIES sparse;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayGetSparseProperties(&sparse, array));
  CUmipmappedArray levels;
  CUDA_ARRAY3D_DESCRIPTOR image = {8, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CHECK(cuMipmappedArrayCreate(&levels, &image, 2));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetMemoryRequirements(&needs, levels, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetSparseProperties(&sparse, levels));
  CHECK(cuMipmappedArrayDestroy(levels));
  CHECK(cuArrayDestroy(array));

  CUDA_MEMCPY3D_PEER box;
  memset(&box, 0, sizeof box);
  CUcontext context;
  CHECK(cuCtxGetCurrent(&context));
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcContext = box.dstContext = context;
  box.srcDevice = memory;
  box.dstDevice = memory + 4096;
  box.srcPitch = 32, box.dstPitch = 64;
  box.WidthInBytes = 16, box.Height = 2, box.Depth = 1;
  CHECK(cuMemcpyHtoD(memory, from, 64));
  CHECK(cuMemcpy3DPeer(&box));
  CHECK(cuMemcpyDtoH(to, memory + 4096 + 64, 16));
  EQUAL(0, memcmp(from + 32, to, 16));
  box.dstDevice = memory + 8192;
  CHECK(cuMemcpy3DPeerAsync(&box, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH(to, memory + 8192, 16));
  EQUAL(0, memcmp(from, to, 16));
  CHECK(cuStreamDestroy(stream));
}

// Fills of more elements than are copied at once.
static void fills() {
  const size_t count = 100001;
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, 4 * count));
  CHECK(cuMemsetD16(memory, 0x1234, count));
  std::vector<unsigned short> shorts(count);
  CHECK(cuMemcpyDtoH(shorts.data(), memory, 2 * count));
  size_t others = 0;
  for (unsigned short each : shorts) others += each != 0x1234;
  EQUAL(0, others);
  CHECK(cuMemsetD32Async(memory, 0x12345678, count, nullptr));
  std::vector<unsigned> longs(count);
  CHECK(cuMemcpyDtoH(longs.data(), memory, 4 * count));
  for (unsigned each : longs) others += each != 0x12345678;
  EQUAL(0, others);
  CHECK(cuMemFree(memory));
}

// The handle of mapped memory, found by its address, keeps it.
static void mapped() {
  CUmemAllocationProp properties = {};
  size_t bytes;
  CUdeviceptr range, again;
  CUmemGenericAllocationHandle memory, retained;
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(cuMemAddressReserve(&range, bytes, 0, 0, 0));
  CHECK(cuMemAddressReserve(&again, bytes, 0, 0, 0));
  CHECK(cuMemCreate(&memory, bytes, &properties, 0));
  CHECK(cuMemMap(range, bytes, 0, memory, 0));
  CHECK(cuMemSetAccess(range, bytes, &access, 1));
  CHECK(cuMemRelease(memory));
  CHECK(cuMemsetD32(range, 77, 4));
  CHECK(cuMemRetainAllocationHandle(&retained, (void *)(range + 100)));
  CHECK(cuMemUnmap(range, bytes));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&memory, (void *)range));
  CHECK(cuMemMap(again, bytes, 0, retained, 0));
  CHECK(cuMemSetAccess(again, bytes, &access, 1));
  unsigned host;
  CHECK(cuMemcpyDtoH(&host, again + 12, 4));
  EQUAL(77, host);
  CHECK(cuMemUnmap(again, bytes));
  CHECK(cuMemRelease(retained));
  CHECK(cuMemAddressFree(range, bytes));
  CHECK(cuMemAddressFree(again, bytes));
}

static void asked(CUdeviceptr memory, CUcontext context) {
  CUcontext attached;
  CHECK(cuCtxAttach(&attached, 0));
  EQUAL((size_t)context, (size_t)attached);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxAttach(&attached, 1));
  CHECK(cuCtxDetach(context));
  EXPECT(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(context, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxEnablePeerAccess(context, 1));
  EXPECT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(context));
  CUdevprop properties;
  CHECK(cuDeviceGetProperties(&properties, 0));
  EQUAL(1024, properties.maxThreadsPerBlock);
  EQUAL(64, properties.maxThreadsDim[2]);
  EQUAL(65535, properties.maxGridSize[1]);
  EQUAL(32, properties.SIMDWidth);
  EQUAL(65536, properties.regsPerBlock);
  EQUAL(512, properties.textureAlign);
  EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 64));
  size_t widest;
  CHECK(cuDeviceGetTexture1DLinearMaxWidth(&widest, CU_AD_FORMAT_FLOAT, 4, 0));
  EQUAL(1 << 28, widest);
  int synchronous = 1, mapped = 0;
  unsigned long long number = 0;
  CUcontext of = nullptr;
  CHECK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  EQUAL((size_t)context, (size_t)of);
  CHECK(cuPointerSetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  synchronous = 0;
  CHECK(cuPointerGetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  EQUAL(1, synchronous);
  CHECK(cuPointerGetAttribute(&mapped, CU_POINTER_ATTRIBUTE_MAPPED, memory));
  EQUAL(1, mapped);
  CHECK(cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_BUFFER_ID, memory));
  EQUAL(1, number != 0);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuPointerSetAttribute(&synchronous, CU_POINTER_ATTRIBUTE_MAPPED, memory));
}

// An event behind the work of all streams, and all streams behind an event.
static void contexts(CUcontext context, CUdeviceptr memory) {
  CUstream one, two;
  CUevent event;
  CHECK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
  CHECK(cuEventCreate(&event, 0));
  volatile unsigned *go;
  CHECK(cuMemHostAlloc((void **)&go, 4, CU_MEMHOSTALLOC_DEVICEMAP));
  *go = 0;
  CHECK(cuStreamWaitValue32(one, (CUdeviceptr)go, 1, CU_STREAM_WAIT_VALUE_EQ));
  CHECK(cuCtxRecordEvent(context, event));
  EXPECT(CUDA_ERROR_NOT_READY, cuEventQuery(event));
  CHECK(cuCtxWaitEvent(context, event));
  CHECK(cuStreamWriteValue32(two, memory, 1, 0));
  EXPECT(CUDA_ERROR_NOT_READY, cuStreamQuery(two));
  // page-locked memory of the host lets them go
  *go = 1;
  CHECK(cuCtxSynchronize());
  CHECK(cuEventQuery(event));
  unsigned host;
  CHECK(cuMemcpyDtoH(&host, memory, 4));
  EQUAL(1, host);
  CHECK(cuEventDestroy(event));
  CHECK(cuStreamDestroy(one));
  CHECK(cuStreamDestroy(two));
  CHECK(cuMemFreeHost((void *)go));
}

// A name has the function that cuda.h of that version gives it.
static void addresses() {
  void *found = nullptr, *older = nullptr;
  CUdriverProcAddressQueryResult status;
  CHECK(cuGetProcAddress("cuGraphAddNode", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EQUAL((size_t)&cuGraphAddNode_v2, (size_t)found);
  CHECK(cuGetProcAddress("cuGraphInstantiate", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK(cuGetProcAddress("cuGraphExecUpdate", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK(cuGetProcAddress("cuGraphExecUpdate", &older, 11000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EQUAL((size_t)&cuGraphExecUpdate, (size_t)older);
  EQUAL(1, found != older);
  CHECK(cuGetProcAddress("cuMemPrefetchAsync", &found, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  EQUAL((size_t)&cuMemPrefetchAsync, (size_t)found);
}

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction scale;
  CUdeviceptr memory;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&scale, module, "scale"));
  CHECK(cuMemAlloc(&memory, 1 << 20));
  words(memory);
  wordsOfGraphs(memory, context);
  nodes(memory, context);
  early(scale, memory);
  arrays(memory);
  fills();
  mapped();
  asked(memory, context);
  contexts(context, memory);
  addresses();
  CHECK(cuMemFree(memory));
  if (!wrong) puts("passed");
  return wrong != 0;
}
