// Copies to the host, of bytes that nobody wrote and of others.
#include <cstdio>
#include <cstring>

const int n = 256;

__global__ void fill(int *to, int count) {
  if (threadIdx.x < count) to[threadIdx.x] = threadIdx.x;
}

__global__ void fillBytes(char *to) { to[3 * threadIdx.x] = 1; }

__global__ void fillSurface(cudaSurfaceObject_t to) {
  surf1Dwrite(1, to, 4 * threadIdx.x);
}

__global__ void fillInBulk(int *to) {
  __shared__ alignas(16) int tile[n];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
        "cp.async.bulk.commit_group;"
        "cp.async.bulk.wait_group 0;" ::"l"(to),
        "r"((unsigned)__cvta_generic_to_shared(tile)), "n"(sizeof tile)
        : "memory");
}

__device__ int variable[n];

int *a, *b, *pinned, *managed, host[n];

void wrong() {
  fprintf(stderr, "case part\n");
  fill<<<1, n>>>(a, n - 1);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case device-to-device\n");
  cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case asynchronous\n");
  cudaMemcpyAsync(pinned, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  fprintf(stderr, "case managed\n");
  cudaMemcpy(managed, a, sizeof host, cudaMemcpyDefault);
  fprintf(stderr, "case rows\n");
  size_t pitch;
  char *rows;
  cudaMallocPitch(&rows, &pitch, 64, 4);
  cudaMemset2D(rows, pitch, 0, 60, 3);
  cudaMemcpy2D(host, 64, rows, pitch, 64, 4, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case refused-launch\n");
  int *c;
  cudaMalloc(&c, sizeof host);
  fill<<<1, 2048>>>(c, n);
  cudaGetLastError();
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case bytes\n");
  fillBytes<<<1, 64>>>((char *)c);
  cudaMemcpy(host, c, 192, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case once\n");
  for (int i = 0; i < 3; i++) cudaMemcpy(host, c, 64 + i, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case allocated-again\n");
  cudaFree(a);
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
}

void right() {
  fprintf(stderr, "case whole\n");
  fill<<<1, n>>>(a, n);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case device-to-device\n");
  cudaMemcpy(b, a, sizeof host, cudaMemcpyDeviceToDevice);
  cudaMemcpy(pinned, b, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case part\n");
  cudaFree(b);
  cudaMalloc(&b, sizeof host);
  fill<<<1, n>>>(b, n - 1);
  cudaMemcpy(host, b, sizeof host - 4, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case between-pieces\n");
  cudaMemcpy(b + n - 1, a, 4, cudaMemcpyDeviceToDevice);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case rows\n");
  size_t pitch;
  char *rows;
  cudaMallocPitch(&rows, &pitch, 64, 4);
  cudaMemset2D(rows, pitch, 0, 64, 4);
  cudaMemcpy2D(host, 64, rows, pitch, 64, 4, cudaMemcpyDeviceToHost);
  fprintf(stderr, "case variable\n");
  cudaMemcpyFromSymbol(host, variable, sizeof host);
  fprintf(stderr, "case host-memory\n");
  cudaMemcpy(host, pinned, sizeof host, cudaMemcpyDefault);
  cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault);
  fprintf(stderr, "case surface\n");
  cudaChannelFormatDesc texel = cudaCreateChannelDesc<int>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  cudaMallocArray(&resource.res.array.array, &texel, n, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  fillSurface<<<1, n>>>(surface);
  cudaMemcpy2DFromArray(host, sizeof host, resource.res.array.array, 0, 0, sizeof host, 1,
                        cudaMemcpyDeviceToHost);
  fprintf(stderr, "case bulk\n");
  int *c;
  cudaMalloc(&c, sizeof host);
  fillInBulk<<<1, n>>>(c);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
}

int main(int, char **arguments) {
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMallocHost(&pinned, sizeof host);
  cudaMallocManaged(&managed, sizeof host);
  if (strcmp(arguments[1], "wrong") == 0) wrong();
  else right();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
}
