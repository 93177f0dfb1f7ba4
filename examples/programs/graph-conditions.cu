// Conditional nodes of graphs: if, else, while, switch, one in another, captured bodies, values to begin
// with, updates, what is refused; the same by the driver. Expected is what the Runtime API states.
// Prints "passed".
#include <cuda.h>
#include <cstdio>

#include "expect.h"

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  if (threadIdx.x == 0) cudaGraphSetConditional(handle, value);
}
__global__ void add(int *a, int value) { *a += value; }
__global__ void addUntil(cudaGraphConditionalHandle handle, int *a, int end) {
  cudaGraphSetConditional(handle, ++*a < end);
}
__global__ void decideWhetherOdd(cudaGraphConditionalHandle handle, const int *a) {
  cudaGraphSetConditional(handle, *a % 2);
}

static int *device;
static cudaStream_t stream;

template <typename... Parameters, typename... Arguments>
static cudaGraphNode_t launch(cudaGraph_t graph, cudaGraphNode_t behind, void (*kernel)(Parameters...),
                              Arguments... arguments) {
  void *pointers[] = {&arguments...};
  cudaGraphNodeParams made = {cudaGraphNodeTypeKernel};
  made.kernel.func = (void *)kernel;
  made.kernel.gridDim.x = made.kernel.gridDim.y = made.kernel.gridDim.z = 1;
  made.kernel.blockDim = made.kernel.gridDim;
  made.kernel.kernelParams = pointers;
  cudaGraphNode_t node;
  EXPECT(cudaSuccess, cudaGraphAddNode(&node, graph, &behind, nullptr, behind ? 1 : 0, &made));
  return node;
}

static cudaGraphNodeParams condition(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                     unsigned size) {
  cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
  made.conditional.handle = handle;
  made.conditional.type = type;
  made.conditional.size = size;
  return made;
}

// The element after a launch from a value.
static int after(cudaGraphExec_t executable, int value) {
  EXPECT(cudaSuccess, cudaMemcpy(device, &value, sizeof value, cudaMemcpyHostToDevice));
  EXPECT(cudaSuccess, cudaGraphLaunch(executable, stream));
  EXPECT(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT(cudaSuccess, cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

// A graph is launched and gone.
static int ended(cudaGraph_t graph, int value) {
  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  value = after(executable, value);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
  return value;
}

// A node that adds 1, 10, 100... by which of its graphs runs, where a kernel decides.
static int decided(cudaGraphConditionalNodeType type, unsigned size, unsigned value) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&handle, graph));
  cudaGraphNode_t first = launch(graph, nullptr, decide, handle, value);
  cudaGraphNodeParams made = condition(handle, type, size);
  EXPECT(cudaSuccess, cudaGraphAddNode(&node, graph, &first, nullptr, 1, &made));
  cudaGraphNodeType told;
  EXPECT(cudaSuccess, cudaGraphNodeGetType(node, &told));
  EXPECT_VALUE(cudaGraphNodeTypeConditional, told);
  int tens = 1;
  for (unsigned i = 0; i < size; i++, tens *= 10)
    launch(made.conditional.phGraph_out[i], nullptr, add, device, tens);
  launch(graph, node, add, device, 1000000);
  return ended(graph, 0) - 1000000;
}

// Adds 1 until 10 are reached, and 100 behind each that is odd: a node in the body of another.
static void nested() {
  cudaGraph_t graph, body;
  cudaGraphNode_t loop, node;
  cudaGraphConditionalHandle again, odd;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams made = condition(again, cudaGraphCondTypeWhile, 1);
  EXPECT(cudaSuccess, cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &made));
  body = made.conditional.phGraph_out[0];
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&odd, body));
  cudaGraphNode_t counted = launch(body, nullptr, addUntil, again, device, 10);
  cudaGraphNode_t asked = launch(body, counted, decideWhetherOdd, odd, device);
  made = condition(odd, cudaGraphCondTypeIf, 1);
  EXPECT(cudaSuccess, cudaGraphAddNode(&node, body, &asked, nullptr, 1, &made));
  launch(made.conditional.phGraph_out[0], nullptr, add, device + 1, 100);
  int zero = 0, hundreds;
  EXPECT(cudaSuccess, cudaMemcpy(device + 1, &zero, sizeof zero, cudaMemcpyHostToDevice));
  cudaGraphExec_t executable;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_VALUE(10, after(executable, 0));
  EXPECT_VALUE(10, after(executable, 5));
  EXPECT(cudaSuccess, cudaMemcpy(&hundreds, device + 1, sizeof hundreds, cudaMemcpyDeviceToHost));
  EXPECT_VALUE(700, hundreds);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

// A loop whose body is captured, and runs once where the condition begins with 0 or with 1.
static cudaGraph_t captured(unsigned begin, cudaGraphNode_t *node) {
  cudaGraph_t graph, none;
  cudaGraphConditionalHandle handle;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&handle, graph, begin, cudaGraphCondAssignDefault));
  cudaGraphNodeParams made = condition(handle, cudaGraphCondTypeWhile, 1);
  EXPECT(cudaSuccess, cudaGraphAddNode(node, graph, nullptr, nullptr, 0, &made));
  cudaGraph_t body = made.conditional.phGraph_out[0];
  EXPECT(cudaSuccess,
         cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(device, 7);
  decide<<<1, 32, 0, stream>>>(handle, 0);
  if (begin) {
    EXPECT(cudaSuccess, cudaStreamEndCapture(stream, nullptr));
  } else {
    EXPECT(cudaSuccess, cudaStreamEndCapture(stream, &none));
    EXPECT_VALUE(1, none == body);
  }
  return graph;
}

static void captures() {
  cudaGraphNode_t node;
  cudaGraph_t never = captured(0, &node), once = captured(1, &node);
  cudaGraphExec_t executable;
  cudaGraphExecUpdateResultInfo info;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&executable, never, 0));
  EXPECT_VALUE(3, after(executable, 3));
  EXPECT(cudaSuccess, cudaGraphExecUpdate(executable, once, &info));
  EXPECT_VALUE(10, after(executable, 3));
  EXPECT_VALUE(10, after(executable, 3));

  cudaGraph_t other;
  cudaGraphConditionalHandle handle;
  EXPECT(cudaSuccess, cudaGraphCreate(&other, 0));
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&handle, other));
  cudaGraphNodeParams made = condition(handle, cudaGraphCondTypeIf, 1);
  EXPECT(cudaSuccess, cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &made));
  EXPECT(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, other, &info));
  EXPECT_VALUE(cudaGraphExecUpdateErrorNotSupported, info.result);
  EXPECT_VALUE(1, info.errorNode == node);
  EXPECT(cudaSuccess, cudaGraphExecDestroy(executable));
  EXPECT(cudaSuccess, cudaGraphDestroy(never));
  EXPECT(cudaSuccess, cudaGraphDestroy(once));
  EXPECT(cudaSuccess, cudaGraphDestroy(other));
}

// A graph of this kind has one instance at a time.
static void onlyOnce(cudaGraph_t graph) {
  cudaGraphExec_t first, second;
  EXPECT(cudaSuccess, cudaGraphInstantiate(&first, graph, 0));
  EXPECT(cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(first));
  EXPECT(cudaSuccess, cudaGraphInstantiate(&second, graph, 0));
  EXPECT(cudaSuccess, cudaGraphExecDestroy(second));
}

// The contents of cudaConditionalNodeParams, and what graphs with such nodes cannot be used for.
static void refusals() {
  cudaGraph_t graph, other;
  cudaGraphNode_t node, made_node;
  cudaGraphConditionalHandle handle;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphCreate(&other, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
  EXPECT(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  EXPECT(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
  EXPECT(cudaSuccess, cudaGraphConditionalHandleCreate(&handle, graph));
  struct { cudaGraphConditionalHandle handle; int type; unsigned size; } wrongs[] = {
      {handle, cudaGraphCondTypeIf, 0},    {handle, cudaGraphCondTypeIf, 3}, {handle, cudaGraphCondTypeWhile, 2},
      {handle, cudaGraphCondTypeSwitch, 0}, {handle, 3, 1},                   {handle + 1, cudaGraphCondTypeIf, 1}};
  for (auto &each : wrongs) {
    cudaGraphNodeParams made = condition(each.handle, (cudaGraphConditionalNodeType)each.type, each.size);
    EXPECT(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made));
  }
  cudaGraphNodeParams made = condition(handle, cudaGraphCondTypeIf, 1);
  EXPECT(cudaSuccess, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made));
  EXPECT(cudaErrorNotSupported, cudaGraphClone(&other, graph));
  EXPECT(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&made_node, other, nullptr, 0, graph));
  EXPECT(cudaSuccess, cudaGraphDestroy(other));
  onlyOnce(graph);
  EXPECT_VALUE(0, ended(graph, 0));
}

// Graphs that allocate cannot be instantiated twice either, nor cloned.
static void allocations() {
  cudaGraph_t graph, other;
  cudaGraphNode_t node;
  cudaMemAllocNodeParams made = {};
  made.poolProps.allocType = cudaMemAllocationTypePinned;
  made.poolProps.location = {cudaMemLocationTypeDevice, 0};
  made.bytesize = 64;
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT(cudaSuccess, cudaGraphCreate(&other, 0));
  EXPECT(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &made));
  onlyOnce(graph);
  EXPECT(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
  EXPECT(cudaErrorNotSupported, cudaGraphClone(&other, graph));
  EXPECT(cudaSuccess, cudaGraphDestroy(graph));
}

template <typename Function>
static Function driver(const char *name) {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult result;
  EXPECT(cudaSuccess, cudaGetDriverEntryPointByVersion(name, &found, 13000, cudaEnableDefault, &result));
  EXPECT_VALUE(1, found != nullptr);
  return (Function)found;
}

// A loop of the driver's, with a copy of its own kind in front.
static void byTheDriver() {
  cudaGraph_t graph;
  CUgraphNode copied, loop;
  CUgraphConditionalHandle handle;
  auto create = driver<decltype(&cuGraphConditionalHandleCreate)>("cuGraphConditionalHandleCreate");
  auto addNode = driver<decltype(&cuGraphAddNode)>("cuGraphAddNode");
  CUcontext context;
  EXPECT_VALUE(0, driver<decltype(&cuCtxGetCurrent)>("cuCtxGetCurrent")(&context));
  EXPECT(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, create(&handle, graph, context, 1, 4));
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, create(&handle, graph, nullptr, 1, 0));
  EXPECT_VALUE(CUDA_ERROR_INVALID_VALUE, create(&handle, graph, nullptr, 1, 4));
  EXPECT_VALUE(0, create(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
  int five = 5;
  CUgraphNodeParams made = {CU_GRAPH_NODE_TYPE_MEMCPY};
  made.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_HOST;
  made.memcpy.copyParams.srcHost = &five;
  made.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  made.memcpy.copyParams.dstDevice = (CUdeviceptr)device;
  made.memcpy.copyParams.WidthInBytes = sizeof five;
  made.memcpy.copyParams.Height = made.memcpy.copyParams.Depth = 1;
  EXPECT_VALUE(0, addNode(&copied, graph, nullptr, nullptr, 0, &made));
  made = {CU_GRAPH_NODE_TYPE_CONDITIONAL};
  made.conditional.handle = handle;
  made.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
  made.conditional.size = 1;
  EXPECT_VALUE(CUDA_ERROR_INVALID_CONTEXT, addNode(&loop, graph, nullptr, nullptr, 0, &made));
  made.conditional.ctx = context;
  EXPECT_VALUE(0, addNode(&loop, graph, &copied, nullptr, 1, &made));
  launch(made.conditional.phGraph_out[0], nullptr, addUntil, (cudaGraphConditionalHandle)handle, device, 9);
  EXPECT_VALUE(9, ended(graph, 0));
}

int main() {
  EXPECT(cudaSuccess, cudaMalloc(&device, 2 * sizeof *device));
  EXPECT(cudaSuccess, cudaStreamCreate(&stream));
  EXPECT_VALUE(0, decided(cudaGraphCondTypeIf, 1, 0));
  EXPECT_VALUE(1, decided(cudaGraphCondTypeIf, 1, 5));
  EXPECT_VALUE(10, decided(cudaGraphCondTypeIf, 2, 0));
  EXPECT_VALUE(1, decided(cudaGraphCondTypeIf, 2, 0x80000000));
  EXPECT_VALUE(0, decided(cudaGraphCondTypeWhile, 1, 0));
  for (unsigned i = 0; i < 5; i++) {
    static const int runs[] = {1, 10, 100, 0, 0};
    EXPECT_VALUE(runs[i], decided(cudaGraphCondTypeSwitch, 3, i));
  }
  EXPECT_VALUE(0, decided(cudaGraphCondTypeSwitch, 3, 0xffffffff));
  nested();
  captures();
  refusals();
  allocations();
  byTheDriver();
  EXPECT(cudaSuccess, cudaStreamDestroy(stream));
  EXPECT(cudaSuccess, cudaFree(device));
  return judged();
}
