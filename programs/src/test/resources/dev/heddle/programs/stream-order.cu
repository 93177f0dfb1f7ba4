// Work of two streams on the same memory: each case once without what orders it, once with it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

const int n = 4096;

__global__ void produce(int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = i;
}

__global__ void consume(const int *from, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;
}

__global__ void count(int *total) { atomicAdd(total, 1); }

__global__ void raise(int *data, volatile int *flag) {
  data[threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

__global__ void await(int *data, volatile int *flag, int *to) {
  if (threadIdx.x == 0)
    while (*flag == 0) {}
  __syncthreads();
  __threadfence();
  to[threadIdx.x] = data[threadIdx.x];
}

__device__ int variable[256];
__global__ void setVariable() { variable[threadIdx.x] = 1; }
__global__ void getVariable(int *to) { to[threadIdx.x] = variable[threadIdx.x]; }

int *a, *b, *pinned;
cudaStream_t one, two;
cudaEvent_t event;

// In place: each case has calls of its own.
#define launchProduce(stream) produce<<<n / 256, 256, 0, stream>>>(a)
#define launchConsume(stream) consume<<<n / 256, 256, 0, stream>>>(a, b)

void order(bool right) {
  if (right) {
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
  }
}

void graph(bool right) {
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  launchProduce(one);
  if (right) {
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(two, event, 0);
  }
  launchConsume(two);
  cudaEventRecord(event, two);
  cudaStreamWaitEvent(one, event, 0);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, one);
}

void run(const char *name, bool right) {
  size_t bytes = n * sizeof(int);
  if (!strcmp(name, "launches")) {
    launchProduce(one);
    order(right);
    launchConsume(two);
  } else if (!strcmp(name, "host-waits")) {
    launchProduce(one);
    if (right) cudaStreamSynchronize(one);
    launchConsume(two);
  } else if (!strcmp(name, "event-waits")) {
    launchProduce(one);
    cudaEventRecord(event, one);
    if (right) cudaEventSynchronize(event);
    launchConsume(two);
  } else if (!strcmp(name, "copy-in")) {
    cudaMemcpyAsync(a, pinned, bytes, cudaMemcpyHostToDevice, one);
    order(right);
    launchConsume(two);
  } else if (!strcmp(name, "copy-out")) {
    launchProduce(one);
    order(right);
    cudaMemcpyAsync(pinned, a, bytes, cudaMemcpyDeviceToHost, two);
  } else if (!strcmp(name, "fill")) {
    cudaMemsetAsync(a, 0, bytes, one);
    order(right);
    launchProduce(two);
  } else if (!strcmp(name, "overwritten")) {
    launchConsume(one);
    order(right);
    launchProduce(two);
  } else if (!strcmp(name, "one-element")) {
    produce<<<1, 256, 0, one>>>(a);
    consume<<<1, 256, 0, two>>>(a + (right ? 256 : 255), b);
  } else if (!strcmp(name, "non-blocking")) {
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, right ? cudaStreamDefault : cudaStreamNonBlocking);
    launchProduce(0);
    launchConsume(other);
  } else if (!strcmp(name, "variable")) {
    setVariable<<<1, 256, 0, one>>>();
    order(right);
    getVariable<<<1, 256, 0, two>>>(b);
  } else if (!strcmp(name, "graph")) {
    graph(right);
  } else if (!strcmp(name, "atomics")) {
    count<<<1, 256, 0, one>>>(a);
    if (right) count<<<1, 256, 0, two>>>(a);
    else cudaMemsetAsync(b, 0, 4, two), consume<<<1, 32, 0, one>>>(a, b);
  } else if (!strcmp(name, "callback")) {
    static volatile bool done = false;
    launchProduce(one);
    if (right) {
      cudaLaunchHostFunc(one, [](void *) { done = true; }, 0);
      while (!done) {}
    }
    launchConsume(two);
  } else if (!strcmp(name, "flag")) {
    raise<<<1, 256, 0, one>>>(a, b);
    if (right) await<<<1, 256, 0, two>>>(a, b, b + 256);
    else consume<<<1, 256, 0, two>>>(a, b + 256);
  } else if (!strcmp(name, "reused")) {
    int *c, *d;
    cudaMallocAsync(&c, bytes, one);
    produce<<<n / 256, 256, 0, one>>>(c);
    cudaFreeAsync(c, one);
    if (right) {
      cudaMallocAsync(&d, bytes, two);
      produce<<<n / 256, 256, 0, two>>>(d);
      cudaFreeAsync(d, two);
    } else {
      launchProduce(one);
      launchConsume(two);
    }
  } else {
    printf("no case %s\n", name);
    exit(2);
  }
}

int main(int argc, char **argv) {
  const char *cases[] = {"launches",   "host-waits",  "event-waits",  "copy-in",  "copy-out",
                         "fill",       "overwritten", "one-element",  "variable", "graph",
                         "atomics",    "callback",    "flag",         "reused",   "non-blocking"};
  size_t bytes = n * sizeof(int);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMallocHost(&pinned, bytes);
  memset(pinned, 0, bytes);
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEventCreate(&event);
  for (const char *each : cases) {
    cudaMemset(a, 0, bytes);
    cudaMemset(b, 0, bytes);
    cudaDeviceSynchronize();
    fprintf(stderr, "case %s\n", each);
    run(each, !strcmp(argv[1], "right"));
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
}
