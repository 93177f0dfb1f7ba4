// The driver API: modules from PTX text, functions, variables, launches, linking, libraries,
// parameters of kernels, mapped and registered memory, arrays and textures, pools of memory. Prints
// "passed".
#include <cuda.h>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <unistd.h>

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

static const char *half = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 result) plus(.param .b32 a);
.visible .entry call(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  .param .b32 a;
  .param .b32 result;
  ld.param.u64 %rd1, [out];
  st.param.b32 [a], 41;
  call (result), plus, (a);
  ld.param.b32 %r1, [result];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
static const char *rest = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 result) plus(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [a];
  add.u32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
}
)";

// Two modules linked to one, loaded as a library; memory reserved, created and mapped twice.
static int linked() {
  CUlinkState state;
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  void *image;
  size_t bytes;
  CHECK(cuLinkCreate(0, nullptr, nullptr, &state));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)half, strlen(half) + 1, "half", 0, nullptr, nullptr));
  CHECK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)rest, strlen(rest) + 1, "rest", 0, nullptr, nullptr));
  CHECK(cuLinkComplete(state, &image, &bytes));
  CHECK(cuLibraryLoadData(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cuLinkDestroy(state));
  CHECK(cuLibraryGetKernel(&kernel, library, "call"));
  CHECK(cuKernelGetFunction(&function, kernel));

  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CHECK(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CUdeviceptr range;
  CUmemGenericAllocationHandle memory;
  CUmemAccessDesc access = {properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK(cuMemAddressReserve(&range, 2 * bytes, 0, 0, 0));
  CHECK(cuMemCreate(&memory, bytes, &properties, 0));
  CHECK(cuMemMap(range, bytes, 0, memory, 0));
  CHECK(cuMemMap(range + bytes, bytes, 0, memory, 0));
  CHECK(cuMemSetAccess(range, 2 * bytes, &access, 1));
  if (cuMemMap(range, bytes, 0, memory, 0) == CUDA_SUCCESS) return printf("mapped again\n"), 1;
  CHECK(cuMemsetD32(range, 7, 64));
  CUdeviceptr out = range + 4;
  void *arguments[] = {&out};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  unsigned host[3];
  CHECK(cuMemcpyDtoH(host, range + bytes, sizeof host));
  if (host[0] != 7 || host[1] != 42 || host[2] != 7) return printf("%u %u %u\n", host[0], host[1], host[2]), 1;
  CHECK(cuMemUnmap(range, 2 * bytes));
  CHECK(cuMemRelease(memory));
  CHECK(cuMemAddressFree(range, 2 * bytes));
  CHECK(cuLibraryUnload(library));
  return 0;
}

// Memory of the host that a kernel writes at its address of the device.
static int registered(CUfunction advance) {
  static unsigned words[5000];
  CUdeviceptr there;
  unsigned *from = words + 1000, times = 3;
  words[999] = 5;
  CHECK(cuMemHostRegister(from, 32 * sizeof *from, CU_MEMHOSTREGISTER_DEVICEMAP));
  if (cuMemHostRegister(from + 1, 4, 0) != CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) return printf("twice\n"), 1;
  CHECK(cuMemHostGetDevicePointer(&there, from, 0));
  void *arguments[] = {&there, &times};
  CHECK(cuLaunchKernel(advance, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuCtxSynchronize());
  if (words[999] != 5 || from[0] != 30 || from[31] != 61) return printf("%u %u %u\n", words[999], from[0], from[31]), 1;
  CHECK(cuMemHostUnregister(from));
  if (cuMemHostUnregister(from) != CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) return printf("still there\n"), 1;
  if (from[31] != 61) return printf("lost\n"), 1;
  return 0;
}

static const char *lookup = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry lookup(.param .u64 out, .param .u64 texture)
{
  .reg .f32 %f<5>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [texture];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f1, %r1;
  tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd2, {%f1}];
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.f32 [%rd4], %f1;
  ret;
}
)";

// Arrays, copies of boxes, and texture objects.
static int textures() {
  CUmodule module;
  CUfunction function;
  CUarray array;
  CUdeviceptr out;
  unsigned char host[4][8], back[4][8] = {};
  float read[8];
  for (int i = 0; i < 32; i++) host[0][i] = 8 * i;
  CUDA_ARRAY_DESCRIPTOR description = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUDA_ARRAY3D_DESCRIPTOR asked;
  CHECK(cuArrayCreate(&array, &description));
  CHECK(cuArray3DGetDescriptor(&asked, array));
  if (asked.Width != 8 || asked.Height != 4 || asked.Depth || asked.NumChannels != 1 ||
      asked.Format != CU_AD_FORMAT_UNSIGNED_INT8)
    return printf("another array\n"), 1;
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 8;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 8;
  copy.Height = 4;
  CHECK(cuMemcpy2D(&copy));
  CUDA_MEMCPY3D box = {};
  box.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  box.srcArray = array;
  box.srcXInBytes = 3;
  box.srcY = 1;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = back;
  box.dstPitch = 8;
  box.dstHeight = 4;
  box.WidthInBytes = 2;
  box.Height = 3;
  box.Depth = 1;
  CHECK(cuMemcpy3D(&box));
  if (back[0][0] != host[1][3] || back[2][1] != host[3][4] || back[0][2])
    return printf("another box\n"), 1;
  CHECK(cuMemcpyAtoH(back, array, 2, 6));
  if (memcmp(back, &host[0][2], 6)) return printf("another row\n"), 1;
  if (cuMemcpyAtoH(back, array, 2, 7) != CUDA_ERROR_INVALID_VALUE || cuMemcpyAtoH(back, array, 8, 8) != CUDA_ERROR_INVALID_VALUE)
    return printf("more than a row\n"), 1;
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  CHECK(cuModuleLoadData(&module, lookup));
  CHECK(cuModuleGetFunction(&function, module, "lookup"));
  CHECK(cuMemAlloc(&out, sizeof read));
  void *arguments[] = {&out, &texture};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(read, out, sizeof read));
  // Without CU_TRSF_READ_AS_INTEGER bytes are read as numbers from 0 to 1.
  for (int i = 0; i < 8; i++)
    if (read[i] != host[0][i] / 255.0f) return printf("texel %d is %g\n", i, read[i]), 1;
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(array));
  CHECK(cuMemFree(out));
  CHECK(cuModuleUnload(module));
  return 0;
}

static const char *scattered = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry scattered(.param .u8 a, .param .f64 b, .param .u16 c, .param .align 4 .b8 d[12])
{
  ret;
}
)";

// Where the parameters of a kernel lie: as the members of a struct in C.
static int parameters() {
  struct Parameters { unsigned char a; double b; unsigned short c; unsigned d[3]; };
  const size_t offsets[] = {offsetof(Parameters, a), offsetof(Parameters, b),
                            offsetof(Parameters, c), offsetof(Parameters, d)};
  const size_t sizes[] = {1, 8, 2, 12};
  CUlibrary library;
  CUkernel kernel;
  CUfunction function;
  CHECK(cuLibraryLoadData(&library, scattered, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cuLibraryGetKernel(&kernel, library, "scattered"));
  CHECK(cuKernelGetFunction(&function, kernel));
  for (size_t i = 0; i < 4; i++) {
    size_t offset = 77, bytes = 77, again = 77;
    CHECK(cuFuncGetParamInfo(function, i, &offset, &bytes));
    if (offset != offsets[i] || bytes != sizes[i]) return printf("%zu: %zu, %zu\n", i, offset, bytes), 1;
    offset = bytes = 77;
    CHECK(cuKernelGetParamInfo(kernel, i, &offset, &bytes));
    CHECK(cuFuncGetParamInfo(function, i, &again, nullptr));
    if (offset != offsets[i] || bytes != sizes[i] || again != offset)
      return printf("kernel, %zu: %zu, %zu, %zu\n", i, offset, bytes, again), 1;
  }
  size_t offset, bytes;
  if (cuFuncGetParamInfo(function, 4, &offset, &bytes) != CUDA_ERROR_INVALID_VALUE ||
      cuKernelGetParamInfo(kernel, (size_t)-1, &offset, &bytes) != CUDA_ERROR_INVALID_VALUE)
    return printf("a fifth parameter\n"), 1;
  CHECK(cuLibraryUnload(library));
  return 0;
}

// Pools of memory: that of the device, one of the host, and what is in use.
static int pooled(void) {
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0}, home = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CUmemoryPool first, same, own;
  CUmemAccess_flags access;
  CUdeviceptr buffer, word;
  cuuint64_t used = 1, high = 0;
  CHECK(cuDeviceGetDefaultMemPool(&first, 0));
  CHECK(cuMemGetDefaultMemPool(&same, &here, CU_MEM_ALLOCATION_TYPE_PINNED));
  if (first != same) return printf("two default pools\n"), 1;
  CHECK(cuMemPoolGetAccess(&access, first, &here));
  if (access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return printf("access %d\n", access), 1;
  CUmemPoolProps properties = {};
  properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = here;
  CHECK(cuMemPoolCreate(&own, &properties));
  if (own == first) return printf("no pool of its own\n"), 1;
  CHECK(cuMemAllocFromPoolAsync(&buffer, 4096, own, nullptr));
  CHECK(cuMemFreeAsync(buffer, nullptr));
  CHECK(cuStreamSynchronize(nullptr));
  CHECK(cuMemPoolTrimTo(own, 0));
  CHECK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
  CHECK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &high));
  if (used != 0 || high != 4096) return printf("%zu, %zu bytes used\n", (size_t)used, (size_t)high), 1;
  CHECK(cuMemPoolDestroy(own));
  CHECK(cuMemGetDefaultMemPool(&own, &home, CU_MEM_ALLOCATION_TYPE_PINNED));
  CHECK(cuMemAllocFromPoolAsync(&word, 4, own, nullptr));
  CHECK(cuStreamSynchronize(nullptr));
  *(unsigned *)word = 7;
  CUmemorytype type;
  CUdeviceptr start;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  void *answers[] = {&type, &start};
  CHECK(cuPointerGetAttributes(1, asked, answers, word));
  if (type != CU_MEMORYTYPE_HOST) return printf("memory of type %d\n", type), 1;
  CHECK(cuMemFreeAsync(word, nullptr));
  CHECK(cuMemAlloc(&buffer, 64));
  CHECK(cuPointerGetAttributes(2, asked, answers, buffer + 4));
  if (type != CU_MEMORYTYPE_DEVICE || start != buffer) return printf("another buffer\n"), 1;
  CHECK(cuMemFree(buffer));
  return 0;
}

// The kernels of a module, rows that are filled, a stream that waits until another has written a word.
static int more(CUmodule module) {
  unsigned number = 0, host[16] = {};
  CUfunction function;
  CUmodule owner;
  CUdeviceptr rows, word;
  CUstream waits, writes;
  size_t pitch;
  CHECK(cuModuleGetFunctionCount(&number, module));
  CHECK(cuModuleEnumerateFunctions(&function, 1, module));
  CHECK(cuFuncGetModule(&owner, function));
  if (number != 1 || owner != module) return printf("%u kernels\n", number), 1;
  CHECK(cuMemAllocPitch(&rows, &pitch, 12, 4, 4));
  CHECK(cuMemsetD2D32(rows, pitch, 7, 3, 4));
  CHECK(cuMemsetD2D16(rows + pitch, pitch, 9, 2, 1));
  for (int i = 0; i < 4; i++) CHECK(cuMemcpyDtoH(host + 3 * i, rows + i * pitch, 12));
  if (host[2] != 7 || host[3] != 0x90009 || host[4] != 7 || host[11] != 7) return printf("rows\n"), 1;
  CHECK(cuMemAlloc(&word, 8));
  CHECK(cuMemsetD32(word, 0, 2));
  CHECK(cuStreamCreate(&waits, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamCreate(&writes, CU_STREAM_NON_BLOCKING));
  CHECK(cuStreamWaitValue32(waits, word, 5, CU_STREAM_WAIT_VALUE_EQ));
  CHECK(cuMemsetD32Async(word + 4, 6, 1, waits));
  if (cuStreamQuery(waits) != CUDA_ERROR_NOT_READY) return printf("did not wait\n"), 1;
  CHECK(cuStreamWriteValue32(writes, word, 5, 0));
  CHECK(cuStreamSynchronize(waits));
  CHECK(cuMemcpyDtoH(host, word, 8));
  if (host[0] != 5 || host[1] != 6) return printf("%u %u\n", host[0], host[1]), 1;
  /* A counter that has turned over is still beyond the value. */
  CHECK(cuStreamWriteValue32(writes, word, 0x80000001u, 0));
  CHECK(cuStreamSynchronize(writes));
  CHECK(cuStreamWaitValue32(waits, word, 0x7fffffffu, CU_STREAM_WAIT_VALUE_GEQ));
  for (int i = 0; i < 2000 && cuStreamQuery(waits) == CUDA_ERROR_NOT_READY; i++) usleep(1000);
  if (cuStreamQuery(waits) != CUDA_SUCCESS) return printf("waits for a counter that is beyond\n"), 1;
  if (cuStreamWriteValue32(writes, word + 2, 5, 0) != CUDA_ERROR_INVALID_VALUE) return printf("misaligned\n"), 1;
  CHECK(cuStreamDestroy(waits));
  CHECK(cuStreamDestroy(writes));
  CHECK(cuMemFree(word));
  CHECK(cuMemFree(rows));
  return 0;
}

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
  int width = 1;
  CHECK(cuFuncGetAttribute(&width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, function));
  if (width != 0) return printf("clusters of %d\n", width), 1;
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
  size_t size = 12, padded = sizeof block;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CHECK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  extra[3] = &padded;
  if (cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra) != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    return printf("arguments with padding\n"), 1;
  CHECK(cuMemcpyDtoH(host, buffer, sizeof host));
  if (host[31] != 81) return printf("host[31] is %u\n", host[31]), 1;
  CHECK(cuMemFree(buffer));
  if (linked() || registered(function) || textures() || parameters() || pooled() || more(module)) return 1;
  CHECK(cuModuleUnload(module));
  CHECK(cuCtxDestroy(context));
  printf("passed\n");
}
