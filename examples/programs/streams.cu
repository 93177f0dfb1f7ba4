// Streams, events, callbacks and managed memory: what waits for what. Prints "passed".
#include <chrono>
#include <cstdio>
#include <thread>

#define CHECK(call)                                                          \
  do {                                                                       \
    cudaError_t error = (call);                                              \
    if (error != cudaSuccess) {                                              \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));  \
      return 1;                                                              \
    }                                                                        \
  } while (0)

__device__ int total;
__constant__ int factor = 1;
__managed__ int shared_counter = 5;

__global__ void append(int *log, int *length, int value) { log[(*length)++] = value * factor; }
__global__ void add_to_total(int value) { atomicAdd(&total, value); }
__global__ void wait_for(volatile int *flag) { while (*flag == 0) {} }
__global__ void count() { shared_counter++; }
__global__ void load_too_far(const int *in, int *out) {
  __shared__ __align__(16) int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  int *row = tile + 32 + 4 * (threadIdx.x % 8);
  unsigned next, place = (unsigned)__cvta_generic_to_shared(row);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(next) : "r"(place));
  out[threadIdx.x] = tile[threadIdx.x];
}

static void CUDART_CB called(void *data) { ++*(int *)data; }
static void CUDART_CB rest(void *) { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }

int main() {
  int *log, *length;
  CHECK(cudaMallocManaged(&log, 64 * sizeof(int)));
  CHECK(cudaMallocManaged(&length, sizeof(int)));
  *length = 0;

  // An event orders two streams.
  cudaStream_t a, b;
  cudaEvent_t event;
  CHECK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));
  for (int i = 0; i < 8; i++) {
    append<<<1, 1, 0, a>>>(log, length, 2 * i);
    CHECK(cudaEventRecord(event, a));
    CHECK(cudaStreamWaitEvent(b, event, 0));
    append<<<1, 1, 0, b>>>(log, length, 2 * i + 1);
    CHECK(cudaEventRecord(event, b));
    CHECK(cudaStreamWaitEvent(a, event, 0));
  }
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; i++) {
    if (log[i] != i) return printf("log[%d] is %d\n", i, log[i]), 1;
  }

  // A kernel waits for the host; its stream is busy until then, another is not. What is to run beside
  // it is loaded before: loading may wait for the device.
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, add_to_total));
#ifdef __CUDA_ARCH_LIST__
  // Built for one architecture, whose PTX is what runs: CUB chooses its variants by this.
  if (attributes.ptxVersion != __CUDA_ARCH_LIST__ / 10)
    return printf("PTX for sm_%d\n", attributes.ptxVersion), 1;
#endif
  size_t offset, bytes;
  CHECK(cudaFuncGetParamInfo((const void *)append, 2, &offset, &bytes));
  if (offset != 2 * sizeof(int *) || bytes != sizeof(int))
    return printf("append's third parameter: %zu, %zu\n", offset, bytes), 1;
  if (cudaFuncGetParamInfo((const void *)append, 3, &offset, &bytes) != cudaErrorInvalidValue)
    return printf("append's fourth parameter\n"), 1;
  cudaGetLastError();
  int *flag;
  CHECK(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  wait_for<<<1, 1, 0, a>>>(flag);
  if (cudaStreamQuery(a) != cudaErrorNotReady) return printf("the stream is not busy\n"), 1;
  add_to_total<<<1, 32, 0, b>>>(2);
  CHECK(cudaStreamSynchronize(b));
  *(volatile int *)flag = 1;
  CHECK(cudaStreamSynchronize(a));
  if (cudaStreamQuery(a) != cudaSuccess) return printf("the stream is busy\n"), 1;

  // Variables of the device stay; constants are the host's to set.
  int value = 0;
  CHECK(cudaMemcpyFromSymbol(&value, total, sizeof(int)));
  if (value != 64) return printf("total is %d\n", value), 1;
  value = 10;
  CHECK(cudaMemcpyToSymbol(factor, &value, sizeof(int)));
  *length = 0;
  append<<<1, 1>>>(log, length, 4);
  CHECK(cudaDeviceSynchronize());
  if (log[0] != 40) return printf("factor times 4 is %d\n", log[0]), 1;
  count<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  if (shared_counter != 6) return printf("the managed variable is %d\n", shared_counter), 1;

  // Functions of the host have their place in a stream.
  int calls = 0;
  CHECK(cudaLaunchHostFunc(a, called, &calls));
  CHECK(cudaStreamSynchronize(a));
  if (calls != 1) return printf("%d calls\n", calls), 1;

  // Threads of the host launch side by side.
  std::thread threads[4];
  for (auto &thread : threads) {
    thread = std::thread([] {
      cudaStream_t own;
      cudaStreamCreate(&own);
      for (int i = 0; i < 20; i++) add_to_total<<<1, 32, 0, own>>>(1);
      cudaStreamSynchronize(own);
      cudaStreamDestroy(own);
    });
  }
  for (auto &thread : threads) thread.join();
  CHECK(cudaMemcpyFromSymbol(&value, total, sizeof(int)));
  if (value != 64 + 4 * 20 * 32) return printf("total is %d\n", value), 1;

  // A stream that is destroyed does what it has to do first; whoever waited for it still does.
  cudaStream_t last;
  CHECK(cudaStreamCreate(&last));
  CHECK(cudaLaunchHostFunc(last, rest, nullptr));
  add_to_total<<<1, 32, 0, last>>>(1);
  CHECK(cudaStreamDestroy(last));
  int more = 0;
  CHECK(cudaMemcpyFromSymbol(&more, total, sizeof(int)));
  if (more != value + 32) return printf("total is %d\n", more), 1;
  int *late;
  CHECK(cudaMalloc(&late, 2 * sizeof(int)));
  CHECK(cudaMemset(late, 0, 2 * sizeof(int)));
  CHECK(cudaStreamSynchronize(nullptr));
  CHECK(cudaStreamCreateWithFlags(&last, cudaStreamNonBlocking));
  CHECK(cudaLaunchHostFunc(last, rest, nullptr));
  append<<<1, 1, 0, last>>>(late + 1, late, 3);
  CHECK(cudaStreamDestroy(last));
  CHECK(cudaFree(late));

  // A kernel that loads a fragment that nobody wrote, and does not use it, again and again.
  int *much;
  CHECK(cudaMalloc(&much, 1 << 20));
  CHECK(cudaMemset(much, 0, 1 << 20));
  for (int i = 0; i < 6; i++) load_too_far<<<1, 32>>>(much, much + 256);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(event));
  CHECK(cudaFreeHost(flag));
  printf("passed\n");
}
