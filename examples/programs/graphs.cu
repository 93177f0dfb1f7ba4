// A graph captured from streams, one built by hand, and what may be replaced in them. Prints "passed".
#include <cstdio>

#define CHECK(call)                                                          \
  do {                                                                       \
    cudaError_t error = (call);                                              \
    if (error != cudaSuccess) {                                              \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));  \
      return 1;                                                              \
    }                                                                        \
  } while (0)

__global__ void add(int *a, int value) { a[threadIdx.x] += value; }
__global__ void multiply(int *a, int value) { a[threadIdx.x] *= value; }

static void CUDART_CB count(void *data) { ++*(int *)data; }

int main() {
  int *device, *host, calls = 0;
  const size_t bytes = 32 * sizeof(int);
  CHECK(cudaMalloc(&device, bytes));
  CHECK(cudaMallocHost(&host, bytes));

  // ((0 + 3) * 5) in one stream, counted in another.
  cudaStream_t stream, other;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(device, 0, bytes, stream));
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(other, fork, 0));
  CHECK(cudaLaunchHostFunc(other, count, &calls));
  CHECK(cudaEventRecord(join, other));
  add<<<1, 32, 0, stream>>>(device, 3);
  multiply<<<1, 32, 0, stream>>>(device, 5);
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  if (calls != 0) return printf("the capture ran something\n"), 1;
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  if (nodes != 5) return printf("%zu nodes\n", nodes), 1;
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 1; i <= 3; i++) {
    host[31] = 0;
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    if (host[31] != 15 || calls != i) return printf("%d, %d calls\n", host[31], calls), 1;
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  // By hand, in the wrong order: the dependency decides.
  int three = 3, five = 5, seven = 7;
  void *adds[] = {&device, &three}, *multiplies[] = {&device, &five}, *sevens[] = {&device, &seven};
  cudaKernelNodeParams launch = {};
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(32);
  launch.func = (void *)multiply;
  launch.kernelParams = multiplies;
  cudaGraphNode_t then, first;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&then, graph, nullptr, 0, &launch));
  launch.func = (void *)add;
  launch.kernelParams = adds;
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &launch));
  CHECK(cudaGraphAddDependencies(graph, &first, &then, nullptr, 1));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaMemset(device, 0, bytes));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  if (host[0] != 15) return printf("by hand: %d\n", host[0]), 1;
  launch.kernelParams = sevens;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, first, &launch));
  CHECK(cudaMemset(device, 0, bytes));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
  if (host[0] != 35) return printf("replaced: %d\n", host[0]), 1;
  printf("passed\n");
}
