// Copies and fills of memory that is written already, which the native library makes by itself where
// no stream has work; and where it may not.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

const int n = 1 << 14;
const size_t bytes = n * sizeof(int);

__device__ int variable[64] = {1}, behind[64] = {2};

__global__ void spin(int *at) {
  for (long start = clock64(); clock64() - start < 200000;) {}
  at[threadIdx.x] = 7;
}

__global__ void add(int *at) { at[threadIdx.x] += variable[0] + behind[0]; }

__global__ void differ(const int *at, int *differing) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (at[i] != at[0]) atomicAdd(differing, 1);
}

__global__ void fault(int *at) { at[n] = 1; }

int *device, *second, failed;
std::vector<int> host(n);

void expect(const char *what, long found, long wanted) {
  if (found == wanted) return;
  printf("%s: %ld, wanted %ld\n", what, found, wanted);
  failed = 1;
}

// Both buffers are written, their marks known, and the last copies were waited for.
void settle() {
  for (int i = 0; i < 2; i++) {
    cudaMemset(device, 0, bytes);
    cudaMemset(second, 0, bytes);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.data(), second, bytes, cudaMemcpyDeviceToHost);
  }
}

double processorTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

// By Java, without its second compiler, each takes more than a microsecond.
void quick() {
  double begin = processorTime();
  for (int i = 0; i < 50000; i++) {
    cudaMemcpy(device + 1, host.data(), 1000, cudaMemcpyHostToDevice);
    cudaMemcpy(second, device, 1000, cudaMemcpyDeviceToDevice);
    cudaMemset(device, 1, 1000);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), second, 1000, cudaMemcpyDefault);
  }
  double took = processorTime() - begin;
  printf("%.0f ns each\n", took / 250000 * 1e9);
  expect("slow", took > 0.12, 0);
}

void moved() {
  std::vector<char> image(bytes), expected(bytes), found(bytes);
  cudaMemset(device, 0, bytes);
  unsigned state = 1;
  for (int i = 0; i < 500; i++) {
    state = state * 1103515245 + 12345;
    size_t from = state >> 8 & 0x3fff, count = (state >> 16 & 0x7fff) + 1;
    memset(image.data(), i, count);
    cudaMemcpy((char *)device + from, image.data(), count, cudaMemcpyHostToDevice);
    memset(expected.data() + from, i, count);
    cudaMemcpy(second, device, bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(found.data(), second, bytes, cudaMemcpyDeviceToHost);
    expect("bytes", memcmp(found.data(), expected.data(), bytes), 0);
    cudaMemset((char *)device + from, i + 1, count / 2);
    memset(expected.data() + from, i + 1, count / 2);
  }
}

void refused() {
  char *at = (char *)device;
  expect("behind the end", cudaMemcpy(at + 1, host.data(), bytes, cudaMemcpyHostToDevice), 1);
  expect("from behind", cudaMemcpy(host.data(), at + bytes - 3, 4, cudaMemcpyDeviceToHost), 1);
  expect("fill", cudaMemset(at + 1, 0, bytes), 1);
  expect("null", cudaMemcpy(nullptr, device, 4, cudaMemcpyDeviceToHost), 1);
  expect("to the host", cudaMemcpy(host.data(), device, 4, cudaMemcpyHostToDevice), 1);
  expect("from the host", cudaMemcpy(device, host.data(), 4, cudaMemcpyDeviceToHost), 1);
  expect("kind", cudaMemcpy(device, host.data(), 4, (cudaMemcpyKind)5), 21);
  void *address;
  cudaGetSymbolAddress(&address, variable);
  expect("variable", cudaMemcpy(host.data(), address, 256, cudaMemcpyDeviceToHost), 0);
  expect("behind it", cudaMemcpy(host.data(), address, 260, cudaMemcpyDeviceToHost), 1);
  expect("the last", cudaGetLastError(), 1);
}

void waits() {
  spin<<<1, 32>>>(device);
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  expect("behind a kernel", host[31], 7);
  spin<<<1, 32>>>(device);
  cudaMemset(device, 0, 128);
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  expect("a fill behind a kernel", host[0], 0);
  spin<<<1, 32>>>(device);
  cudaDeviceSynchronize();
  expect("waited for", device[0], 7);
}

// Copies by one thread are made before or behind a kernel of another's, never beside it.
void whole(bool first) {
  std::atomic<bool> over{false};
  int *differing;
  cudaMalloc(&differing, sizeof(int));
  cudaMemset(differing, 0, sizeof(int));
  cudaMemset(device, 0, bytes);
  auto copy = [&] {
    std::vector<int> plain(n);
    for (int i = 0; !over; i++) {
      memset(plain.data(), i, bytes);
      cudaMemcpy(device, plain.data(), bytes, cudaMemcpyHostToDevice);
    }
  };
  auto launch = [&] {
    for (int i = 0; i < 300; i++) {
      differ<<<1, 32>>>(device, differing);
      cudaDeviceSynchronize();
    }
    over = true;
  };
  std::thread other;
  if (first) {
    other = std::thread(launch);
    copy();
  } else {
    other = std::thread(copy);
    launch();
  }
  other.join();
  int found;
  cudaMemcpy(&found, differing, sizeof found, cudaMemcpyDeviceToHost);
  expect(first ? "torn by the first thread" : "torn", found, 0);
}

void captured() {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  expect("beside a capture", cudaMemcpy(device, second, 4, cudaMemcpyDeviceToDevice),
         cudaErrorStreamCaptureImplicit);
  cudaStreamEndCapture(stream, &graph);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  expect("a wait", cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  cudaStreamEndCapture(stream, &graph);
  expect("behind it", cudaMemcpy(device, second, 4, cudaMemcpyDeviceToDevice), 0);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

void unordered() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fprintf(stderr, "case copy\n");
  add<<<1, 32, 0, stream>>>(device);
  usleep(300000);  // it is done, but nobody may know
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  fprintf(stderr, "case fill\n");
  cudaMemset(device, 0, 128);
  add<<<1, 32, 0, stream>>>(device);
  cudaDeviceSynchronize();
  fprintf(stderr, "case in-order\n");
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  add<<<1, 32, 0, stream>>>(device);
  cudaStreamSynchronize(stream);
  cudaMemcpy(host.data(), device, 128, cudaMemcpyDeviceToHost);
  cudaGetLastError();
}

void freed() {
  int *gone;
  cudaMalloc(&gone, 4096);
  cudaMemset(gone, 0, 4096);
  cudaDeviceSynchronize();
  cudaFree(gone);
  expect("freed", cudaMemcpy(host.data(), gone, 4, cudaMemcpyDeviceToHost), 1);
  cudaGetLastError();
}

void afterFault() {
  fault<<<1, 1>>>(device);
  cudaDeviceSynchronize();
  expect("a copy", cudaMemcpy(host.data(), device, 4, cudaMemcpyDeviceToHost), 700);
  expect("a fill", cudaMemset(device, 0, 4), 700);
  expect("waiting", cudaDeviceSynchronize(), 700);
}

int main(int count, char **arguments) {
  cudaMalloc(&device, bytes);
  cudaMalloc(&second, bytes);
  settle();
  bool wrong = strcmp(arguments[1], "wrong") == 0;
  if (wrong) {
    unordered();
    afterFault();
  } else {
    refused();
    quick();
    moved();
    waits();
    whole(false);
    whole(true);
    freed();
    captured();
  }
  return failed ? 3 : 0;
}
