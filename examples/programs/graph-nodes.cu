// What graphs tell of their nodes, and take instead: parameters, updates as a whole, edges, clones,
// child graphs, events, memory, captures into graphs; the same by the driver. Expected is what the Runtime
// API states. Prints "passed".
#include <cuda.h>
#include <cstdio>
#include <cstring>

#include "expect.h"

__global__ void add(int *a, int value) { a[threadIdx.x] += value; }
__global__ void multiply(int *a, int value) { a[threadIdx.x] *= value; }
__device__ int variable;

static int *device, host[32];
static const size_t bytes = sizeof host;
static cudaStream_t stream;

static void CUDART_CB count(void *data) { ++*(int *)data; }

static cudaKernelNodeParams launch(void (*kernel)(int *, int), void **arguments) {
  cudaKernelNodeParams made = {};
  made.func = (void *)kernel;
  made.gridDim = dim3(1);
  made.blockDim = dim3(32);
  made.kernelParams = arguments;
  return made;
}

// The first element after a launch from 0.
static int first(cudaGraphExec_t executable) {
  EXPECT(cudaSuccess, cudaMemset(device, 0, bytes));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT(cudaSuccess, cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  return host[0];
}

// A captured launch is told with its arguments, changed, and the graph as it is then taken over.
static void parameters() {
  cudaGraph_t graph;
  EXPECT(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<dim3(1), dim3(32), 16, stream>>>(device, 3);
  multiply<<<1, 32, 0, stream>>>(device, 5);
  EXPECT(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[2];
  size_t number = 2;
  EXPECT(cudaSuccess, cudaGraphGetNodes(graph, nodes, &number));
  cudaKernelNodeParams told;
  EXPECT(cudaSuccess, cudaGraphKernelNodeGetParams(nodes[0], &told));
  EXPECT_VALUE(1, told.func == (void *)add);
  EXPECT_VALUE(1, told.gridDim.x * told.gridDim.y * told.gridDim.z);
  EXPECT_VALUE(32, told.blockDim.x);
  EXPECT_VALUE(16, told.sharedMemBytes);
  EXPECT_VALUE(1, *(int **)told.kernelParams[0] == device);
  EXPECT_VALUE(3, *(int *)told.kernelParams[1]);
  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_VALUE(15, first(executable));

  int seven = 7;
  told.kernelParams[1] = &seven;
  EXPECT(cudaSuccess, cudaGraphKernelNodeSetParams(nodes[0], &told));
  EXPECT_VALUE(15, first(executable));
  cudaGraphExecUpdateResultInfo info;
  EXPECT(cudaSuccess, cudaGraphExecUpdate(executable, graph, &info));
  EXPECT_VALUE(cudaGraphExecUpdateSuccess, info.result);
  EXPECT_VALUE(35, first(executable));

  EXPECT(cudaSuccess, cudaGraphNodeSetEnabled(executable, nodes[1], 0));
  unsigned enabled = 1;
  EXPECT(cudaSuccess, cudaGraphNodeGetEnabled(executable, nodes[1], &enabled));
  EXPECT_VALUE(0, enabled);
  EXPECT_VALUE(7, first(executable));

  cudaGraphNode_t more;
  EXPECT(cudaSuccess, cudaGraphAddEmptyNode(&more, graph, nodes, 1));
  EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, graph, &info));
  EXPECT_VALUE(cudaGraphExecUpdateErrorTopologyChanged, info.result);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

// Edges, clones, a child graph whose nodes are replaced, and a node of any kind.
static void structure() {
  int three = 3, five = 5, calls = 0;
  void *threes[] = {&device, &three}, *fives[] = {&device, &five};
  cudaKernelNodeParams adds = launch(add, threes), multiplies = launch(multiply, fives);
  cudaGraph_t inner, graph, clone;
  cudaGraphNode_t added, child, called, found;
  EXPECT(cudaSuccess, cudaGraphCreate(&inner, 0));
  EXPECT(cudaSuccess, cudaGraphAddKernelNode(&added, inner, nullptr, 0, &adds));
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeHost;
  any.host.fn = count;
  any.host.userData = &calls;
  EXPECT(cudaSuccess, cudaGraphAddNode(&called, graph, &child, nullptr, 1, &any));
  cudaHostNodeParams host_told;
  EXPECT(cudaSuccess, cudaGraphHostNodeGetParams(called, &host_told));
  EXPECT_VALUE(1, host_told.userData == &calls);

  cudaGraphNode_t from, to;
  size_t edges = 0;
  EXPECT(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  EXPECT_VALUE(1, edges);
  EXPECT(cudaSuccess, cudaGraphGetEdges(graph, &from, &to, nullptr, &edges));
  EXPECT_VALUE(1, from == child && to == called);
  EXPECT(cudaSuccess, cudaGraphNodeGetDependencies(called, &from, nullptr, &edges));
  EXPECT_VALUE(1, edges == 1 && from == child);
  EXPECT(cudaSuccess, cudaGraphNodeGetDependentNodes(child, &to, nullptr, &edges));
  EXPECT_VALUE(1, edges == 1 && to == called);
  EXPECT(cudaSuccess, cudaGraphClone(&clone, graph));
  EXPECT(cudaSuccess, cudaGraphNodeFindInClone(&found, called, clone));
  cudaGraphNodeType type;
  EXPECT(cudaSuccess, cudaGraphNodeGetType(found, &type));
  EXPECT_VALUE(cudaGraphNodeTypeHost, type);
  EXPECT(cudaSuccess, cudaGraphRemoveDependencies(graph, &child, &called, nullptr, 1));
  EXPECT(cudaErrorInvalidValue, cudaGraphRemoveDependencies(graph, &child, &called, nullptr, 1));

  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_VALUE(3, first(executable));
  three = 4;
  EXPECT(cudaSuccess, cudaGraphKernelNodeSetParams(added, &adds));
  EXPECT_VALUE(3, first(executable));
  EXPECT(cudaSuccess, cudaGraphExecChildGraphNodeSetParams(executable, child, inner));
  EXPECT_VALUE(4, first(executable));
  EXPECT_VALUE(3, calls);
  EXPECT(cudaSuccess, cudaGraphAddKernelNode(&found, inner, &added, 1, &multiplies));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(clone));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
  EXPECT(cudaSuccess, cudaGraphDestroy(inner));
}

// Memory that a graph allocates and frees, at the same address in each launch; a variable, a fill.
static void memory() {
  cudaGraph_t graph;
  cudaGraphNode_t allocated, filled, stored, copied, freed;
  cudaMemAllocNodeParams wanted = {};
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  wanted.bytesize = bytes;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &wanted));
  cudaMemsetParams fill = {};
  fill.dst = wanted.dptr;
  fill.value = 0x01020304;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  EXPECT(cudaSuccess, cudaGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill));
  cudaMemsetParams told = {};
  EXPECT(cudaSuccess, cudaGraphMemsetNodeGetParams(filled, &told));
  EXPECT_VALUE(1, told.dst == fill.dst && told.value == fill.value && told.elementSize == 4);
  EXPECT_VALUE(32, told.width);
  EXPECT(cudaSuccess, cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, device, wanted.dptr, bytes,
                                               cudaMemcpyDeviceToDevice));
  EXPECT(cudaSuccess, cudaGraphAddMemcpyNodeToSymbol(&stored, graph, &filled, 1, variable, wanted.dptr, 4, 0,
                                                     cudaMemcpyDeviceToDevice));
  cudaGraphNode_t both[] = {copied, stored};
  EXPECT(cudaSuccess, cudaGraphAddMemFreeNode(&freed, graph, both, 2, wanted.dptr));
  void *address;
  EXPECT(cudaSuccess, cudaGraphMemFreeNodeGetParams(freed, &address));
  EXPECT_VALUE(1, address == wanted.dptr);
  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; i++) EXPECT_VALUE(0x01020304, first(executable));
  int value = 0;
  EXPECT(cudaSuccess, cudaMemcpyFromSymbol(&value, variable, 4));
  EXPECT_VALUE(0x01020304, value);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));

  // What a graph does not free is freed by somebody before it is launched again, or by the launch.
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &wanted));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaFreeAsync(wanted.dptr, stream));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaErrorInvalidValue, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaFree(wanted.dptr));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  cudaGraph_t freeing;
  cudaGraphExec_t other;
  EXPECT(cudaSuccess, cudaGraphCreate(&freeing, 0));
  EXPECT(cudaSuccess, cudaGraphAddMemFreeNode(&freed, freeing, nullptr, 0, wanted.dptr));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&other, freeing, 0));
  EXPECT(cudaSuccess, cudaGraphLaunch(other, stream));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaGraphLaunch(other, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; i++) EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaFreeAsync(wanted.dptr, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(other));
  EXPECT(cudaSuccess, cudaGraphDestroy(freeing));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));

  int *captured;
  EXPECT(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT(cudaSuccess, cudaMallocAsync(&captured, bytes, stream));
  EXPECT(cudaSuccess, cudaMemsetAsync(captured, 0, bytes, stream));
  add<<<1, 32, 0, stream>>>(captured, 9);
  EXPECT(cudaSuccess, cudaMemcpyAsync(device, captured, bytes, cudaMemcpyDeviceToDevice, stream));
  EXPECT(cudaSuccess, cudaFreeAsync(captured, stream));
  EXPECT(cudaSuccess, cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[5];
  size_t number = 5;
  cudaGraphNodeType type;
  EXPECT(cudaSuccess, cudaGraphGetNodes(graph, nodes, &number));
  EXPECT_VALUE(5, number);
  EXPECT(cudaSuccess, cudaGraphNodeGetType(nodes[0], &type));
  EXPECT_VALUE(cudaGraphNodeTypeMemAlloc, type);
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; i++) EXPECT_VALUE(9, first(executable));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

// Events of graphs, and a capture into a graph that has a node.
static void captures() {
  int two = 2;
  void *twos[] = {&device, &two};
  cudaKernelNodeParams adds = launch(add, twos);
  cudaGraph_t graph, into;
  cudaGraphNode_t start, added, last;
  cudaEvent_t before, after;
  EXPECT(cudaSuccess, cudaEventCreate(&before));
  EXPECT(cudaSuccess, cudaEventCreate(&after));
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphAddEventRecordNode(&start, graph, nullptr, 0, before));
  EXPECT(cudaSuccess, cudaGraphAddKernelNode(&added, graph, &start, 1, &adds));
  EXPECT(cudaSuccess, cudaStreamBeginCaptureToGraph(stream, graph, &added, nullptr, 1, cudaStreamCaptureModeGlobal));
  multiply<<<1, 32, 0, stream>>>(device, 3);
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *waits;
  size_t number = 0;
  EXPECT(cudaSuccess, cudaStreamGetCaptureInfo(stream, &status, nullptr, &into, &waits, nullptr, &number));
  EXPECT_VALUE(cudaStreamCaptureStatusActive, status);
  EXPECT_VALUE(1, number);
  EXPECT_VALUE(1, into == graph);
  EXPECT(cudaSuccess, cudaGraphAddEventRecordNode(&last, graph, waits, 1, after));
  EXPECT(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, &last, nullptr, 1, cudaStreamSetCaptureDependencies));
  EXPECT(cudaSuccess, cudaStreamEndCapture(stream, &into));
  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_VALUE(6, first(executable));
  float milliseconds = -1;
  EXPECT(cudaSuccess, cudaEventElapsedTime(&milliseconds, before, after));
  EXPECT_VALUE(1, milliseconds >= 0);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

// A graph of the driver: its entry points are those that the runtime finds.
template <typename Function>
static Function driver(const char *name) {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult result;
  EXPECT(cudaSuccess, cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &result));
  EXPECT_VALUE(1, found != nullptr);
  return (Function)found;
}
#define DRIVER(name) driver<decltype(&name)>(WORDS(name))
#define WORDS(name) #name

static void byTheDriver() {
  CUgraph graph;
  CUgraphNode added, copied;
  CUgraphExec executable;
  CUfunction function;
  CUDA_KERNEL_NODE_PARAMS launched = {}, told;
  int eight = 8;
  static int result[32];
  void *arguments[] = {&device, &eight};
  EXPECT(cudaSuccess, cudaGetFuncBySymbol(&function, (void *)add));
  launched.func = function;
  launched.gridDimX = launched.gridDimY = launched.gridDimZ = 1;
  launched.blockDimX = 32;
  launched.blockDimY = launched.blockDimZ = 1;
  launched.kernelParams = arguments;
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = (CUdeviceptr)device;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = result;
  box.WidthInBytes = bytes;
  box.Height = box.Depth = 1;
  EXPECT_VALUE(0, DRIVER(cuGraphCreate)(&graph, 0));
  EXPECT_VALUE(0, driver<decltype(&cuGraphAddKernelNode)>("cuGraphAddKernelNode")(&added, graph, nullptr, 0, &launched));
  EXPECT_VALUE(0, driver<decltype(&cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams")(added, &told));
  EXPECT_VALUE(8, *(int *)told.kernelParams[1]);
  EXPECT_VALUE(0, DRIVER(cuGraphAddMemcpyNode)(&copied, graph, nullptr, 0, &box, nullptr));
  EXPECT_VALUE(0, driver<decltype(&cuGraphAddDependencies)>("cuGraphAddDependencies")(graph, &added, &copied, nullptr, 1));
  EXPECT_VALUE(0, DRIVER(cuGraphInstantiateWithFlags)(&executable, graph, 0));
  EXPECT(cudaSuccess, cudaMemset(device, 0, bytes));
  EXPECT_VALUE(0, DRIVER(cuGraphLaunch)(executable, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_VALUE(8, result[31]);
  EXPECT_VALUE(0, DRIVER(cuGraphExecDestroy)(executable));
  EXPECT_VALUE(0, DRIVER(cuGraphDestroy)(graph));
}

int main() {
  EXPECT(cudaSuccess, cudaMalloc(&device, bytes));
  EXPECT(cudaSuccess, cudaStreamCreate(&stream));
  parameters();
  structure();
  memory();
  captures();
  byTheDriver();
  EXPECT(cudaSuccess, cudaStreamDestroy(stream));
  EXPECT(cudaSuccess, cudaFree(device));
  return judged();
}
