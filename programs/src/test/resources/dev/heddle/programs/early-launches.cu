// Launches that may begin before the one in front of them has ended: each case once wrong, once right.
#include <cstdio>
#include <cstring>

__global__ void produce(const int *from, int *to) {
  to[threadIdx.x] = from[threadIdx.x];
  cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void produceSilently(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void neverWait(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }

__global__ void wait(const int *from, int *to) {
  cudaGridDependencySynchronize();
  to[threadIdx.x] = from[threadIdx.x];
}

__global__ void waitLate(const int *weights, const int *from, int *to) {
  int weight = weights[threadIdx.x];
  cudaGridDependencySynchronize();
  to[threadIdx.x] = weight * from[threadIdx.x];
}

// What one thread waited for, the barrier hands on.
__global__ void oneWaits(const int *from, int *to) {
  if (threadIdx.x == 0) cudaGridDependencySynchronize();
  __syncthreads();
  to[threadIdx.x] = from[threadIdx.x];
}

__device__ __noinline__ void await() { cudaGridDependencySynchronize(); }

__global__ void waitInFunction(const int *from, int *to) {
  await();
  to[threadIdx.x] = from[threadIdx.x];
}

__global__ void waitInLoop(const int *from, int *to, int n) {
  for (int i = 0; i < n; i++) {
    cudaGridDependencySynchronize();
    to[threadIdx.x] = from[threadIdx.x] + i;
  }
}

int *a, *b, *c;
cudaStream_t stream;

template <typename... Parameters, typename... Arguments>
void launchEarly(void (*kernel)(Parameters...), bool early, Arguments... arguments) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = early;
  cudaLaunchConfig_t configuration = {1, 256, 0, stream, &attribute, 1};
  cudaLaunchKernelEx(&configuration, kernel, static_cast<Parameters>(arguments)...);
}

void run(const char *name, bool right) {
  if (!strcmp(name, "waits")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    launchEarly(right ? wait : neverWait, true, b, c);
  } else if (!strcmp(name, "may-begin-early")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    launchEarly(neverWait, !right, b, c);
  } else if (!strcmp(name, "lets-it-begin")) {
    (right ? produceSilently : produce)<<<1, 256, 0, stream>>>(a, b);
    launchEarly(neverWait, true, b, c);
  } else if (!strcmp(name, "host-waits")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    if (right) cudaStreamSynchronize(stream);
    launchEarly(neverWait, true, b, c);
  } else if (!strcmp(name, "before-the-wait")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    if (right) launchEarly(waitLate, true, a, b, c);
    else launchEarly(waitLate, true, b, a, c);
  } else if (!strcmp(name, "writes-what-it-reads")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    launchEarly(right ? wait : neverWait, true, c, a);
  } else if (!strcmp(name, "one-waits")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    launchEarly(right ? oneWaits : neverWait, true, b, c);
  } else if (!strcmp(name, "function")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    launchEarly(right ? waitInFunction : neverWait, true, b, c);
  } else if (!strcmp(name, "loop")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    if (right) launchEarly(waitInLoop, true, b, c, 2);
    else launchEarly(neverWait, true, b, c);
  } else if (!strcmp(name, "other-memory")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    if (right) launchEarly(neverWait, true, a, c);
    else launchEarly(neverWait, true, c, b);
  } else if (!strcmp(name, "not-next")) {
    produce<<<1, 256, 0, stream>>>(a, b);
    if (right) cudaMemsetAsync(c, 0, 4, stream);
    launchEarly(neverWait, true, b, c);
  }
}

int main(int argc, char **argv) {
  const char *cases[] = {"waits",     "may-begin-early", "lets-it-begin", "host-waits",
                         "function",  "before-the-wait", "one-waits",     "writes-what-it-reads",
                         "loop",      "other-memory",    "not-next"};
  cudaMalloc(&a, 1024);
  cudaMalloc(&b, 1024);
  cudaMalloc(&c, 1024);
  cudaStreamCreate(&stream);
  for (const char *each : cases) {
    cudaMemset(a, 0, 1024);
    cudaMemset(b, 0, 1024);
    cudaMemset(c, 0, 1024);
    cudaDeviceSynchronize();
    fprintf(stderr, "case %s\n", each);
    run(each, !strcmp(argv[1], "right"));
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
}
