// What a program's calls cost by `heddle cuda`: copies and fills beside memcpy and memset of the
// same bytes, taken in turns, and small launches a second.
//
//     nvcc -O2 -arch=compute_80 -code=compute_80 -o speed speed.cu
//     heddle cuda --device sm_80 ./speed
//     heddle cuda --device sm_80 --check none ./speed
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static double median(std::vector<double> &times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static void copies(size_t bytes) {
  const int rounds = bytes >= 64 << 20 ? 9 : 31;
  // a small one alone takes little longer than the clock
  const int calls = std::max<size_t>(1, (64 << 10) / bytes);
  const cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                                  cudaMemcpyDeviceToDevice};
  char *host = (char *)malloc(bytes), *other = (char *)malloc(bytes), *device, *second;
  cudaMalloc(&device, bytes);
  cudaMalloc(&second, bytes);
  memset(host, 1, bytes);
  memset(other, 2, bytes);
  void *from[] = {host, device, device}, *to[] = {device, host, second};
  std::vector<double> plain, set, filled, copied[3];
  for (int round = -2; round < rounds; round++) {
    double begin = seconds();
    for (int j = 0; j < calls; j++) memcpy(other, host, bytes);
    double end = seconds();
    if (round >= 0) plain.push_back(end - begin);
    for (int i = 0; i < 3; i++) {
      begin = seconds();
      for (int j = 0; j < calls; j++) cudaMemcpy(to[i], from[i], bytes, kinds[i]);
      end = seconds();
      if (round >= 0) copied[i].push_back(end - begin);
    }
    begin = seconds();
    for (int j = 0; j < calls; j++) memset(other, round, bytes);
    double middle = seconds();
    for (int j = 0; j < calls; j++) {
      cudaMemset(second, round, bytes);
      cudaDeviceSynchronize();
    }
    end = seconds();
    if (round >= 0) set.push_back(middle - begin), filled.push_back(end - middle);
  }
  double base = median(plain);
  printf("%6zu KB: memcpy %5.2f GB/s, %.3f us; of its time: to the device %.2f, back %.2f,"
         " within %.2f; a fill of memset's %.2f\n",
         bytes >> 10, calls * bytes / base / 1e9, base / calls * 1e6, median(copied[0]) / base,
         median(copied[1]) / base, median(copied[2]) / base, median(filled) / median(set));
  fflush(stdout);
  cudaFree(device);
  cudaFree(second);
  free(host);
  free(other);
}

__global__ void nothing() {}

__global__ void add(const float *a, const float *b, float *c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

static void launches() {
  float *a;
  cudaMalloc(&a, 3 * 128 * sizeof(float));
  cudaMemset(a, 0, 3 * 128 * sizeof(float));
  for (int round = 0; round < 5; round++) {
    double begin = seconds();
    for (int i = 0; i < 3000; i++) nothing<<<1, 32>>>();
    cudaDeviceSynchronize();
    double middle = seconds();
    for (int i = 0; i < 3000; i++) add<<<1, 128>>>(a, a + 128, a + 256);
    cudaDeviceSynchronize();
    printf("launches a second: %.0f empty of 32 threads, %.0f additions of 128\n",
           3000 / (middle - begin), 3000 / (seconds() - middle));
  }
  cudaFree(a);
}

// Until the JVM has compiled what a copy runs through.
static void warm() {
  char *device, *second, host[64];
  cudaMalloc(&device, sizeof host);
  cudaMalloc(&second, sizeof host);
  for (int i = 0; i < 20000; i++) {
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(second, device, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemset(second, 0, sizeof host);
  }
  cudaFree(device);
  cudaFree(second);
}

int main() {
  warm();
  for (size_t kilobytes = 1; kilobytes <= 256 << 10; kilobytes *= 4) copies(kilobytes << 10);
  launches();
  return cudaGetLastError();
}
