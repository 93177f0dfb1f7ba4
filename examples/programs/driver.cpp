// The driver API: a module from PTX text, a function, a variable, a launch. Prints "passed".
#include <cuda.h>
#include <cstdio>

#define CHECK(call)                                                             \
  do {                                                                          \
    CUresult error = (call);                                                    \
    const char *name = "?";                                                     \
    if (error != CUDA_SUCCESS) {                                                \
      cuGetErrorName(error, &name);                                             \
      printf("%s:%d: %s\n", __FILE__, __LINE__, name);                          \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

static const char *ptx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 step = 1;
.visible .entry advance(.param .u64 a, .param .u32 times)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [times];
  ld.global.u32 %r2, [step];
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
)";

int main() {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr buffer, step;
  size_t bytes;
  unsigned host[32], ten = 10, times = 4;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, nullptr, 0, device));
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuModuleGetFunction(&function, module, "advance"));
  CUfunction none;
  if (cuModuleGetFunction(&none, module, "none") != CUDA_ERROR_NOT_FOUND) return printf("found\n"), 1;
  CHECK(cuModuleGetGlobal(&step, &bytes, module, "step"));
  if (bytes != 4) return printf("%zu bytes\n", bytes), 1;
  CHECK(cuMemcpyHtoD(step, &ten, 4));
  CHECK(cuMemAlloc(&buffer, sizeof host));
  void *arguments[] = {&buffer, &times};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(host, buffer, sizeof host));
  for (unsigned i = 0; i < 32; i++) {
    if (host[i] != 40 + i) return printf("host[%u] is %u\n", i, host[i]), 1;
  }
  struct { CUdeviceptr buffer; unsigned times; } block = {buffer, 5};
  size_t size = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(cuMemcpyDtoH(host, buffer, sizeof host));
  if (host[31] != 81) return printf("host[31] is %u\n", host[31]), 1;
  CHECK(cuMemFree(buffer));
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  printf("passed\n");
}
