// Kernels that start kernels (CUDA Programming Guide, "CUDA Dynamic Parallelism"). Prints "passed".
#include <cstdio>

static int wrong;
#define EXPECT(condition)                                                               \
  do {                                                                                  \
    if (!(condition)) printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition), wrong++; \
  } while (0)

__global__ void add(int *to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] += value; }

__global__ void twice(int *to) { to[threadIdx.x] *= 2; }

// Those of one CTA and stream run in their order: (1 + 3) * 2, not 1 * 2 + 3.
__global__ void in_order(int *data) {
  if (threadIdx.x == 0) {
    add<<<2, 16>>>(data, 3);
    twice<<<1, 32>>>(data);
  }
}

// A tree of launches: 2^(depth + 1) - 1 grids of 4 threads.
__global__ void tree(int *count, int depth) {
  atomicAdd(count, 1);
  if (threadIdx.x < 2 && depth > 0) tree<<<1, 4>>>(count, depth - 1);
}

// The tail stream waits for everything else, also for what children start.
__global__ void tail(int *data, int *count) {
  twice<<<1, 32, 0, cudaStreamTailLaunch>>>(data);
  add<<<1, 32, 0, cudaStreamFireAndForget>>>(data, 5);
  cudaStream_t stream;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return;
  tree<<<1, 4, 0, stream>>>(count, 2);
  cudaStreamDestroy(stream);
}

__global__ void copies(int *data, int *other) {
  cudaMemcpyAsync(other, data, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  cudaMemsetAsync(data, 0, 16 * sizeof(int), 0);
  twice<<<1, 32>>>(other);
}

__global__ void errors(int *codes, dim3 none) {
  add<<<none, 32>>>(codes, 1);
  codes[0] = cudaPeekAtLastError();
  codes[1] = cudaGetLastError();
  codes[2] = cudaGetLastError();
  void *memory;
  codes[3] = cudaMalloc(&memory, 64);
  codes[4] = cudaFree(memory);
}

struct Large { int *to; int values[40]; char factor; };
__global__ void structure(Large large) {
  large.to[threadIdx.x] = large.values[threadIdx.x] * large.factor;
}
__global__ void by_value(int *data) {
  Large large;
  large.to = data;
  for (int i = 0; i < 40; i++) large.values[i] = i;
  large.factor = 7;
  structure<<<1, 40>>>(large);
}

int main() {
  int *data, *other, *count, host[64];
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&other, sizeof host);
  cudaMalloc(&count, sizeof *count);
  auto fill = [&](int value) {
    for (int &each : host) each = value;
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof *count);
  };
  auto fetch = [&](int *from) {
    EXPECT(cudaMemcpy(host, from, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess);
  };

  fill(1);
  in_order<<<1, 32>>>(data);
  fetch(data);
  for (int i = 0; i < 32; i++) EXPECT(host[i] == 8);
  EXPECT(host[32] == 1);

  fill(0);
  tree<<<1, 4>>>(count, 5);
  cudaMemcpy(host, count, sizeof *count, cudaMemcpyDeviceToHost);
  EXPECT(host[0] == 4 * 63);

  fill(1);
  tail<<<1, 1>>>(data, count);
  fetch(data);
  for (int i = 0; i < 32; i++) EXPECT(host[i] == 12);
  cudaMemcpy(host, count, sizeof *count, cudaMemcpyDeviceToHost);
  EXPECT(host[0] == 4 * 7);

  fill(3);
  copies<<<1, 1>>>(data, other);
  fetch(data);
  EXPECT(host[0] == 0 && host[15] == 0 && host[16] == 3);
  cudaMemcpy(host, other, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i++) EXPECT(host[i] == 6);

  fill(0);
  errors<<<1, 1>>>(data, dim3(0, 1, 1));
  fetch(data);
  EXPECT(host[0] == cudaErrorInvalidConfiguration && host[1] == cudaErrorInvalidConfiguration);
  EXPECT(host[2] == cudaSuccess && host[3] == cudaSuccess && host[4] == cudaSuccess);

  by_value<<<1, 1>>>(data);
  fetch(data);
  for (int i = 0; i < 40; i++) EXPECT(host[i] == 7 * i);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  if (!wrong) printf("passed\n");
  return wrong != 0;
}
