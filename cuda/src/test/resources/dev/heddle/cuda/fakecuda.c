/* A driver without a GPU, for tests of the binding: memory is host memory, every call is written to
 * the file that FAKECUDA_LOG names, a module whose text holds "syntax error" does not compile, and a
 * launch of the kernel "trap" fails at the next wait. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[4096];
static int pending;
static int devices = 1;

void fake_log(const char *to) { strncpy(path, to, sizeof path - 1); pending = 0; }
void fake_devices(int n) { devices = n; }

static void note(const char *what, long value) {
  FILE *f = path[0] ? fopen(path, "a") : 0;
  if (f) { fprintf(f, "%s %ld\n", what, value); fclose(f); }
}

int cuInit(unsigned flags) { note("cuInit", flags); return 0; }
int cuDriverGetVersion(int *v) { *v = 13000; return 0; }
int cuGetErrorName(int e, const char **s) {
  if (e == 218) { *s = "CUDA_ERROR_INVALID_PTX"; return 0; }
  if (e == 101) { *s = "CUDA_ERROR_INVALID_DEVICE"; return 0; }
  if (e == 719) { *s = "CUDA_ERROR_LAUNCH_FAILED"; return 0; }
  *s = 0; return 1;
}
int cuGetErrorString(int e, const char **s) {
  if (e == 218) { *s = "a PTX JIT compilation failed"; return 0; }
  if (e == 719) { *s = "unspecified launch failure"; return 0; }
  *s = 0; return 1;
}
int cuDeviceGetCount(int *n) { *n = devices; return 0; }
int cuDeviceGet(int *d, int i) { if (i >= devices) return 101; *d = 7 + i; return 0; }
int cuDeviceGetName(char *name, int n, int d) { snprintf(name, n, "Fake %d", d); return 0; }
int cuDeviceGetAttribute(int *v, int a, int d) { *v = a == 75 ? 9 : a == 76 ? 0 : a * 10; return 0; }
int cuDeviceTotalMem_v2(size_t *b, int d) { *b = (size_t)5 << 32; return 0; }
int cuDevicePrimaryCtxRetain(void **c, int d) { *c = (void *)0x1000; note("retain", d); return 0; }
int cuDevicePrimaryCtxRelease_v2(int d) { note("release", d); return 0; }
int cuCtxSetCurrent(void *c) { return c == (void *)0x1000 ? 0 : 201; }
int cuCtxSynchronize(void) { return pending; }
int cuModuleLoadDataEx(void **m, const char *text, unsigned n, int *options, void **values) {
  if (n != 6 || options[0] != 3 || options[1] != 4 || options[2] != 5 || options[3] != 6) return 1;
  if (options[4] != 7 || options[5] != 12 || (uintptr_t)values[4] > 4) return 1;
  if ((uintptr_t)values[1] < 100 || (uintptr_t)values[3] < 100) return 1;
  if (strstr(text, "syntax error")) {
    strcpy(values[2], "ptxas application ptx input, line 3; error : syntax error\n");
    return 218;
  }
  strcpy(values[0], "ptxas info : Used 8 registers\n");
  *m = malloc(1); note("load", strlen(text)); return 0;
}
int cuModuleUnload(void *m) { free(m); note("unload", 0); return 0; }
int cuModuleGetFunction(void **f, void *m, const char *name) {
  if (!strcmp(name, "absent")) return 500;
  *f = (void *)(uintptr_t)(!strcmp(name, "trap") ? 0x3000 : !strncmp(name, "run", 3) ? 0x4000 : 0x2000); return 0;
}
int cuModuleGetGlobal_v2(uint64_t *p, size_t *b, void *m, const char *name) { *p = 0x7777; *b = 4; return 0; }
int cuFuncGetAttribute(int *v, int a, void *f) { *v = a + 100; return 0; }
int cuFuncSetAttribute(void *f, int a, int v) { note("attribute", a * 1000000L + v); return 0; }
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **p, void **extra) {
  if (f == (void *)0x3000) { pending = 719; return 0; }
  note("grid", gx * 10000L + gy * 100 + gz);
  note("block", bx * 10000L + by * 100 + bz);
  note("shared", shared);
  if (f == (void *)0x4000) { /* an instruction kernel: writes one word, the first of A plus one */
    **(uint32_t **)p[1] = **(uint32_t **)p[0] + 1;
    return 0;
  }
  /* the kernel: parameters (address, u32, f64): *address = u32 + f64 */
  **(double **)p[0] = *(uint32_t *)p[1] + *(double *)p[2];
  return 0;
}
/* CUlaunchConfig: seven extents and sizes, the stream, attributes of 72 bytes each, their number */
int cuLaunchKernelEx(const char *c, void *f, void **p, void **extra) {
  const unsigned *n = (const unsigned *)c;
  const char *a = *(const char **)(c + 40);
  for (unsigned i = 0; i < *(const unsigned *)(c + 48); i++, a += 72) {
    const unsigned *v = (const unsigned *)(a + 8);
    if (*(const int *)a == 4) note("cluster", v[0] * 10000L + v[1] * 100 + v[2]);
    if (*(const int *)a == 2) note("cooperative", v[0]);
  }
  return cuLaunchKernel(f, n[0], n[1], n[2], n[3], n[4], n[5], n[6], *(void **)(c + 32), p, extra);
}
int cuMemAlloc_v2(uint64_t *p, size_t n) { *p = (uint64_t)malloc(n); note("alloc", n); return 0; }
int cuMemFree_v2(uint64_t p) { free((void *)p); note("free", 0); return pending; }
int cuMemAllocHost_v2(void **p, size_t n) { *p = malloc(n); return 0; }
int cuMemFreeHost(void *p) { free(p); note("freeHost", 0); return 0; }
int cuMemcpyHtoD_v2(uint64_t d, const void *s, size_t n) { memcpy((void *)d, s, n); return 0; }
int cuMemcpyDtoH_v2(void *d, uint64_t s, size_t n) { memcpy(d, (void *)s, n); return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t d, const void *s, size_t n, void *q) { memcpy((void *)d, s, n); return 0; }
int cuMemcpyDtoHAsync_v2(void *d, uint64_t s, size_t n, void *q) { memcpy(d, (void *)s, n); return 0; }
int cuMemsetD8Async(uint64_t d, unsigned char v, size_t n, void *q) { memset((void *)d, v, n); return 0; }
int cuMemsetD32Async(uint64_t d, unsigned v, size_t n, void *q) {
  for (size_t i = 0; i < n; i++) ((uint32_t *)d)[i] = v;
  return 0;
}
int cuStreamCreate(void **s, unsigned flags) { *s = malloc(1); note("stream", flags); return 0; }
int cuStreamSynchronize(void *s) { return pending; }
int cuStreamDestroy_v2(void *s) { free(s); note("streamDestroy", 0); return 0; }
int cuEventCreate(void **e, unsigned flags) { *e = malloc(1); return 0; }
int cuEventRecord(void *e, void *s) { return 0; }
int cuEventSynchronize(void *e) { return 0; }
int cuEventQuery(void *e) { return pending; }
int cuEventElapsedTime(float *ms, void *a, void *b) { *ms = 1.5f; return 0; }
int cuEventDestroy_v2(void *e) { free(e); note("eventDestroy", 0); return 0; }
#ifndef WITHOUT_TENSOR_MAPS
int cuTensorMapEncodeTiled(uint64_t *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *boxes, const uint32_t *steps,
                           int interleave, int swizzle, int promotion, int fill) {
  if ((uintptr_t)map % 64) return 1;
  uint64_t words[16] = {type, rank, (uint64_t)address, sizes[0], sizes[rank - 1], strides[0], boxes[0],
                        boxes[rank - 1], steps[0], interleave, swizzle, promotion, fill, 0, 0, 99};
  memcpy(map, words, sizeof words);
  return 0;
}
int cuTensorMapEncodeIm2col(uint64_t *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                            const uint64_t *strides, const int *lower, const int *upper, unsigned channels,
                            unsigned pixels, const uint32_t *steps, int interleave, int swizzle,
                            int promotion, int fill) {
  if ((uintptr_t)map % 64) return 1;
  uint64_t words[16] = {type, rank, (uint64_t)address, sizes[0], sizes[rank - 1], strides[0], lower[0],
                        upper[rank - 3], channels, pixels, steps[rank - 1], interleave, swizzle, promotion,
                        fill, 98};
  memcpy(map, words, sizeof words);
  return 0;
}
#endif

int cuArray3DCreate_v2(void **array, const void *shape) { return 801; }
int cuArrayDestroy(void *array) { return 801; }
int cuMipmappedArrayCreate(void **array, const void *shape, unsigned levels) { return 801; }
int cuMipmappedArrayGetLevel(void **level, void *array, unsigned number) { return 801; }
int cuMipmappedArrayDestroy(void *array) { return 801; }
int cuMemcpy3D_v2(const void *copy) { return 801; }
int cuTexObjectCreate(uint64_t *object, const void *resource, const void *texture, const void *view) {
    return 801;
}
int cuTexObjectDestroy(uint64_t object) { return 801; }
int cuSurfObjectCreate(uint64_t *object, const void *resource) { return 801; }
int cuSurfObjectDestroy(uint64_t object) { return 801; }
