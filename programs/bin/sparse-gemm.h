// What the hosts of sparse-kernels share: matrices come from files of raw bytes, as `heddle
// compress -o FILE.bin` writes them, and D goes to one.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

inline void check(int error, const char *what) {
  if (error) {
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(1);
  }
}

inline unsigned char *device(size_t bytes) {
  void *memory;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  check(cudaMemset(memory, 0, bytes), "cudaMemset");
  return static_cast<unsigned char *>(memory);
}

/// A file of so many bytes, in the device's memory.
inline unsigned char *load(const char *file, size_t bytes) {
  std::vector<char> host(bytes + 1);
  FILE *in = fopen(file, "rb");
  if (!in || fread(host.data(), 1, bytes + 1, in) != bytes) {
    fprintf(stderr, "%s: expected %zu bytes\n", file, bytes);
    exit(2);
  }
  fclose(in);
  unsigned char *memory = device(bytes);
  check(cudaMemcpy(memory, host.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

inline void save(const char *file, const void *memory, size_t bytes) {
  std::vector<char> host(bytes);
  check(cudaDeviceSynchronize(), "kernel");
  check(cudaMemcpy(host.data(), memory, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  FILE *out = fopen(file, "wb");
  if (!out || fwrite(host.data(), 1, bytes, out) != bytes || fclose(out)) {
    fprintf(stderr, "%s: not written\n", file);
    exit(2);
  }
}
