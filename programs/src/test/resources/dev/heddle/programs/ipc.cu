// Memory and events of two processes. What is expected an H100 answered.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

const int n = 1 << 18;

struct Given {
  cudaIpcMemHandle_t small, other, large;
  cudaIpcEventHandle_t event;
};

int failed;

void expect(const char *what, long found, long wanted) {
  if (found == wanted) return;
  printf("%s: %ld, wanted %ld\n", what, found, wanted);
  failed = 3;
}

__global__ void add(int *at, int more, int spin) {
  for (long start = clock64(); blockIdx.x == 0 && clock64() - start < spin;) {}
  at[blockIdx.x * blockDim.x + threadIdx.x] += more;
}

char byteAt(const char *at) {
  char byte = 0;
  cudaMemcpy(&byte, at, 1, cudaMemcpyDeviceToHost);
  return byte;
}

void *opened(cudaIpcMemHandle_t handle, unsigned flags, long wanted) {
  void *at = nullptr;
  expect("opened", cudaIpcOpenMemHandle(&at, handle, flags), wanted);
  return at;
}

int second(int from) {
  Given given;
  read(from, &given, sizeof given);
  opened(given.small, 0, cudaErrorInvalidValue);
  opened(given.small, 2, cudaErrorInvalidValue);
  char *small = (char *)opened(given.small, 1, 0);
  expect("the same", opened(given.small, 1, 0) == small, 1);
  expect("a byte", byteAt(small + 100), 5);
  char *other = (char *)opened(given.other, 1, 0);
  expect("a byte of the neighbour", byteAt(other + 999), 6);
  cudaPointerAttributes attributes;
  expect("attributes", cudaPointerGetAttributes(&attributes, small + 5), 0);
  expect("type", attributes.type, cudaMemoryTypeDevice);
  cudaIpcMemHandle_t handle;
  expect("given on", cudaIpcGetMemHandle(&handle, small), cudaErrorInvalidValue);
  cudaMemset(small, 9, 200);
  cudaDeviceSynchronize();
  expect("freed", cudaFree(small), cudaErrorInvalidValue);
  expect("closed inside", cudaIpcCloseMemHandle(small + 8), cudaErrorInvalidValue);
  expect("closed", cudaIpcCloseMemHandle(small), 0);
  expect("closed again", cudaIpcCloseMemHandle(small), 0);
  expect("closed once more", cudaIpcCloseMemHandle(small), cudaErrorInvalidValue);
  expect("null", cudaIpcCloseMemHandle(nullptr), cudaErrorInvalidValue);

  int *large = (int *)opened(given.large, 1, 0);
  cudaEvent_t event;
  expect("event", cudaIpcOpenEventHandle(&event, given.event), 0);
  cudaIpcEventHandle_t again;
  expect("given on", cudaIpcGetEventHandle(&again, event), cudaErrorInvalidResourceHandle);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamWaitEvent(stream, event, 0);
  add<<<n / 128, 128, 0, stream>>>(large, 1, 0);
  expect("recorded", cudaEventRecord(event, stream), 0);
  expect("waited for", cudaEventSynchronize(event), 0);
  std::vector<int> host(n);
  cudaMemcpy(host.data(), large, n * sizeof(int), cudaMemcpyDeviceToHost);
  expect("behind the event", host[n - 1], 11);
  expect("destroyed", cudaEventDestroy(event), 0);

  memset(&handle, 7, sizeof handle);
  opened(handle, 1, cudaErrorInvalidValue);
  memset(&again, 7, sizeof again);
  expect("no event", cudaIpcOpenEventHandle(&event, again), cudaErrorMapBufferObjectFailed);
  cudaGetLastError();
  return failed;
}

int main(int count, char **arguments) {
  if (count > 1) return second(atoi(arguments[1]));
  char *small, *other, *host, local[9];
  int *large;
  Given given;
  cudaMalloc(&small, 1000);
  cudaMalloc(&other, 1000);
  cudaMalloc(&large, n * sizeof(int));
  cudaMemset(small, 5, 1000);
  cudaMemset(other, 6, 1000);
  expect("handle", cudaIpcGetMemHandle(&given.small, small), 0);
  expect("inside", cudaIpcGetMemHandle(&given.other, small + 100), 0);
  expect("of the same", memcmp(&given.small, &given.other, sizeof given.small), 0);
  expect("of the neighbour", cudaIpcGetMemHandle(&given.other, other), 0);
  expect("of a large one", cudaIpcGetMemHandle(&given.large, large), 0);
  cudaIpcMemHandle_t none;
  expect("of the host", cudaIpcGetMemHandle(&none, local), cudaErrorInvalidValue);
  expect("of null", cudaIpcGetMemHandle(&none, nullptr), cudaErrorInvalidValue);
  cudaMallocHost(&host, 64);
  expect("page-locked", cudaIpcGetMemHandle(&none, host), cudaErrorInvalidValue);
  cudaMallocManaged(&host, 64);
  expect("managed", cudaIpcGetMemHandle(&none, host), cudaErrorInvalidValue);
  opened(given.small, 1, cudaErrorDeviceUninitialized);
  cudaEvent_t plain, event;
  cudaEventCreate(&plain);
  expect("plain", cudaIpcGetEventHandle(&given.event, plain), cudaErrorInvalidResourceHandle);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess);
  expect("event", cudaIpcGetEventHandle(&given.event, event), 0);
  expect("own", cudaIpcOpenEventHandle(&plain, given.event), cudaErrorDeviceUninitialized);

  int ends[2];
  pipe(ends);
  cudaMemset(large, 0, n * sizeof(int));
  add<<<n / 128, 128>>>(large, 10, 2000000);
  cudaEventRecord(event);
  write(ends[1], &given, sizeof given);
  snprintf(local, sizeof local, "%d", ends[0]);
  if (fork() == 0) execl(arguments[0], arguments[0], local, nullptr);
  int status;
  wait(&status);
  expect("the other process", WEXITSTATUS(status), 0);
  expect("its byte", byteAt(small + 199), 9);
  expect("no byte of its", byteAt(small + 200), 5);
  expect("a byte of the neighbour", byteAt(other), 6);
  add<<<n / 128, 128>>>(large, 100, 0);
  int last;
  cudaMemcpy(&last, large + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  expect("its sum", last, 111);
  cudaFree(small);
  cudaFree(large);
  cudaGetLastError();
  return failed;
}
