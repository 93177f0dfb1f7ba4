// CUDA arrays, textures and surfaces: what goes in comes out again, by copies of every kind and by
// kernels. Expected values follow from the addressing and filtering that the CUDA Programming Guide
// states ("Texture Fetching"). Prints "passed".
#include <cstdio>
#include <cstring>

static int wrong;
#define CHECK(call)                                                                     \
  do {                                                                                  \
    cudaError_t error = (call);                                                         \
    if (error != cudaSuccess) {                                                         \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(error));               \
      wrong++;                                                                          \
    }                                                                                   \
  } while (0)
#define EXPECT(condition)                                                               \
  do {                                                                                  \
    if (!(condition)) printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition), wrong++; \
  } while (0)
#define REFUSED(stated, call)                                                           \
  do {                                                                                  \
    EXPECT((call) == stated);                                                           \
    cudaGetLastError();                                                                 \
  } while (0)

enum { W = 8, H = 4, D = 3 };

__global__ void flat(cudaTextureObject_t t, float *out, float scale, float shift) {
  int x = threadIdx.x, y = threadIdx.y;
  out[y * W + x] = tex2D<float>(t, (x + shift) * scale, (y + 0.5f) * (scale == 1 ? 1 : 1.0f / H));
}
__global__ void deep(cudaTextureObject_t t, float *out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  out[(z * H + y) * W + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}
__global__ void layers(cudaTextureObject_t t, float *out) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  out[(z * H + y) * W + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, z);
}
__global__ void levels(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2DLod<float>(t, 0.01f, 0.01f, threadIdx.x);
}
__global__ void linear(cudaTextureObject_t t, int4 *out) {
  out[threadIdx.x] = tex1Dfetch<int4>(t, threadIdx.x);
}
__global__ void bytes(cudaTextureObject_t t, float4 *out) {
  out[threadIdx.x] = tex1D<float4>(t, threadIdx.x + 0.5f);
}
__global__ void twice(cudaSurfaceObject_t s) {
  float value;
  surf2Dread(&value, s, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(2 * value, s, threadIdx.x * 4, threadIdx.y);
}

static float host[D][H][W], back[D][H][W];
static float *out;

static cudaTextureDesc sampling(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                bool normalized) {
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = mode;
  desc.filterMode = filter;
  desc.normalizedCoords = normalized;
  return desc;
}
static cudaResourceDesc resource(cudaArray_t array) {
  cudaResourceDesc desc = {};
  desc.resType = cudaResourceTypeArray;
  desc.res.array.array = array;
  return desc;
}

// What `flat` gives for one row of texels.
static void expect_row(cudaArray_t array, cudaTextureDesc desc, float scale, float shift,
                       const float *expected) {
  cudaTextureObject_t texture;
  cudaResourceDesc from = resource(array);
  float found[H][W];
  CHECK(cudaCreateTextureObject(&texture, &from, &desc, nullptr));
  flat<<<1, dim3(W, H)>>>(texture, out, scale, shift);
  CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
  for (int x = 0; x < W; x++)
    if (found[1][x] != expected[x])
      printf("x = %d: %g, expected %g\n", x, found[1][x], expected[x]), wrong++;
  CHECK(cudaDestroyTextureObject(texture));
}

static void two_dimensions() {
  cudaArray_t array, other;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>(), asked;
  cudaExtent extent;
  unsigned flags;
  CHECK(cudaMallocArray(&array, &format, W, H, cudaArraySurfaceLoadStore));
  CHECK(cudaMallocArray(&other, &format, W, H));
  CHECK(cudaArrayGetInfo(&asked, &extent, &flags, array));
  EXPECT(asked.x == 32 && asked.y == 0 && asked.f == cudaChannelFormatKindFloat);
  EXPECT(extent.width == W && extent.height == H && extent.depth == 0);
  EXPECT(flags == cudaArraySurfaceLoadStore);
  CHECK(cudaMemcpy2DToArray(array, 0, 0, host, W * 4, W * 4, H, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, W * 4, H, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy2DFromArray(back, W * 4, other, 8, 1, W * 4 - 8, 2, cudaMemcpyDeviceToHost));
  EXPECT(back[0][0][0] == host[0][1][2] && back[0][1][5] == host[0][2][7]);
  REFUSED(cudaErrorInvalidValue,
          cudaMemcpy2DFromArray(back, W * 4, other, 8, 1, W * 4, 2, cudaMemcpyDeviceToHost));

  const float *row = host[0][1];
  float expected[W];
  expect_row(array, sampling(cudaAddressModeClamp, cudaFilterModePoint, false), 1, 0.5f, row);
  for (int x = 0; x < W; x++) expected[x] = row[x + 3 < W ? x + 3 : W - 1];
  expect_row(array, sampling(cudaAddressModeClamp, cudaFilterModePoint, false), 1, 3.5f, expected);
  for (int x = 0; x < W; x++) expected[x] = x + 3 < W ? row[x + 3] : 0;
  expect_row(array, sampling(cudaAddressModeBorder, cudaFilterModePoint, false), 1, 3.5f,
             expected);
  for (int x = 0; x < W; x++) expected[x] = row[(x + 3) % W];
  expect_row(array, sampling(cudaAddressModeWrap, cudaFilterModePoint, true), 1.0f / W, 3.5f,
             expected);
  for (int x = 0; x < W; x++) expected[x] = row[x + 3 < W ? x + 3 : 2 * W - 1 - x - 3];
  expect_row(array, sampling(cudaAddressModeMirror, cudaFilterModePoint, true), 1.0f / W, 3.5f,
             expected);
  // A quarter of the way from one texel to the next: the weight is exact in 8 bits of fraction.
  for (int x = 0; x < W; x++) expected[x] = 0.75f * row[x] + 0.25f * row[x + 1 < W ? x + 1 : W - 1];
  expect_row(array, sampling(cudaAddressModeClamp, cudaFilterModeLinear, false), 1, 0.75f,
             expected);

  cudaSurfaceObject_t surface;
  cudaResourceDesc from = resource(array), described;
  CHECK(cudaCreateSurfaceObject(&surface, &from));
  CHECK(cudaGetSurfaceObjectResourceDesc(&described, surface));
  EXPECT(described.res.array.array == array);
  twice<<<1, dim3(W, H)>>>(surface);
  CHECK(cudaMemcpy2DFromArray(back, W * 4, array, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
  for (int i = 0; i < W * H; i++) EXPECT(back[0][0][i] == 2 * host[0][0][i]);
  CHECK(cudaDestroySurfaceObject(surface));
  // An array that was not made for surfaces is taken, as an H100 takes it.
  from = resource(other);
  CHECK(cudaCreateSurfaceObject(&surface, &from));
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
}

// Slices or layers, filled and read by boxes.
static void three_dimensions(unsigned flags) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMalloc3DArray(&array, &format, make_cudaExtent(W, H, D), flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, W * 4, W, H);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(W, H, D);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  cudaTextureObject_t texture;
  cudaResourceDesc from = resource(array);
  cudaTextureDesc desc = sampling(cudaAddressModeClamp, cudaFilterModePoint, false);
  CHECK(cudaCreateTextureObject(&texture, &from, &desc, nullptr));
  if (flags) layers<<<1, dim3(W, H, D)>>>(texture, out);
  else deep<<<1, dim3(W, H, D)>>>(texture, out);
  CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(back, host, sizeof host) == 0);
  // Positions in an array count texels.
  memset(&copy, 0, sizeof copy);
  copy.srcArray = array;
  copy.srcPos = make_cudaPos(2, 1, 1);
  copy.dstPtr = make_cudaPitchedPtr(back, 3 * 4, 3, 2);
  copy.extent = make_cudaExtent(3, 2, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  EXPECT(back[0][0][0] == host[1][1][2] && (&back[0][0][0])[11] == host[2][2][4]);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

static void levels_of_detail() {
  cudaMipmappedArray_t mipmap;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(4, 4, 0), 3));
  for (int level = 0; level < 3; level++) {
    cudaArray_t array;
    cudaExtent extent;
    float texels[16];
    for (int i = 0; i < 16; i++) texels[i] = 100 * (level + 1);
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CHECK(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT(extent.width == 4u >> level && extent.height == 4u >> level);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, extent.width * 4, extent.width * 4,
                              extent.height, cudaMemcpyHostToDevice));
  }
  cudaArray_t none;
  REFUSED(cudaErrorInvalidValue, cudaGetMipmappedArrayLevel(&none, mipmap, 3));
  cudaTextureObject_t texture;
  cudaResourceDesc from = {};
  from.resType = cudaResourceTypeMipmappedArray;
  from.res.mipmap.mipmap = mipmap;
  cudaTextureDesc desc = sampling(cudaAddressModeClamp, cudaFilterModePoint, true);
  desc.maxMipmapLevelClamp = 2;
  CHECK(cudaCreateTextureObject(&texture, &from, &desc, nullptr));
  levels<<<1, 3>>>(texture, out);
  CHECK(cudaMemcpy(back, out, 12, cudaMemcpyDeviceToHost));
  for (int level = 0; level < 3; level++) EXPECT(back[0][0][level] == 100 * (level + 1));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeMipmappedArray(mipmap));
}

static void memory_as_texture() {
  int4 *from, found[16];
  int numbers[64];
  for (int i = 0; i < 64; i++) numbers[i] = i - 20;
  CHECK(cudaMalloc(&from, sizeof numbers));
  CHECK(cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  cudaResourceDesc desc = {};
  desc.resType = cudaResourceTypeLinear;
  desc.res.linear.devPtr = from;
  desc.res.linear.desc = cudaCreateChannelDesc<int4>();
  desc.res.linear.sizeInBytes = sizeof numbers;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &desc, &how, nullptr));
  linear<<<1, 16>>>(texture, (int4 *)out);
  CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
  EXPECT(memcmp(found, numbers, sizeof numbers) == 0);
  CHECK(cudaDestroyTextureObject(texture));

  // Rows of four bytes that are read as numbers.
  unsigned char *pitched, rows[2][4] = {{0, 51, 102, 255}, {255, 0, 204, 153}};
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, 8, 1));
  CHECK(cudaMemcpy2D(pitched, pitch, rows, 8, 8, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc plane = {};
  plane.resType = cudaResourceTypePitch2D;
  plane.res.pitch2D.devPtr = pitched;
  plane.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  plane.res.pitch2D.width = 2;
  plane.res.pitch2D.height = 1;
  plane.res.pitch2D.pitchInBytes = pitch;
  how.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&texture, &plane, &how, nullptr));
  bytes<<<1, 2>>>(texture, (float4 *)out);
  CHECK(cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) EXPECT(back[0][0][i] == rows[0][i] / 255.0f);
  cudaTextureDesc asked;
  CHECK(cudaGetTextureObjectTextureDesc(&asked, texture));
  EXPECT(asked.readMode == cudaReadModeNormalizedFloat);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaDestroyTextureObject(texture));  // an H100 does not mind
  REFUSED(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&asked, texture));
  CHECK(cudaFree(pitched));
  CHECK(cudaFree(from));
}

// Copies of bytes that run on from the end of one row to the next; the codes are an H100's (driver 580.159.04).
static void rows() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  static const struct { size_t x, y, bytes; bool fits; } copies[] = {
      {0, 0, 160, true},  {0, 0, 164, false}, {8, 1, 112, true}, {8, 1, 116, false}, {40, 0, 4, true},
      {44, 0, 4, false},  {0, 3, 40, true},   {0, 3, 44, false}, {0, 4, 4, false},   {4, 2, 76, true}};
  char from[164], to[164];
  for (int i = 0; i < 164; i++) from[i] = i + 1;
  CHECK(cudaMallocArray(&array, &format, 10, 4));
  for (const auto &each : copies) {
    cudaError_t stated = each.fits ? cudaSuccess : cudaErrorInvalidValue;
    EXPECT(cudaMemcpyToArray(array, each.x, each.y, from, each.bytes, cudaMemcpyHostToDevice) == stated);
    EXPECT(cudaMemcpyFromArray(to, array, each.x, each.y, each.bytes, cudaMemcpyDeviceToHost) == stated);
    EXPECT(!each.fits || memcmp(from, to, each.bytes) == 0);
  }
  cudaGetLastError();
  CHECK(cudaFreeArray(array));
}

// What nobody wrote goes through a shuffle and is thrown away: heddle follows it in a second run of the launch, before
// which it takes back what the first has stored.
__global__ void count(cudaSurfaceObject_t s, const int *unwritten, int *result) {
  int value;
  surf2Dread(&value, s, threadIdx.x * 4, 0);
  surf2Dwrite(value + 1, s, threadIdx.x * 4, 0);
  int junk = __shfl_xor_sync(~0u, unwritten[threadIdx.x], 1);
  result[threadIdx.x] = value < 1000 ? value : junk;
}

static void stored_once() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  int texels[32] = {}, *unwritten;
  CHECK(cudaMallocArray(&array, &format, 32, 1, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&unwritten, sizeof texels));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  count<<<1, 32>>>(surface, unwritten, (int *)out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy2DFromArray(texels, sizeof texels, array, 0, 0, sizeof texels, 1, cudaMemcpyDeviceToHost));
  for (int texel : texels) EXPECT(texel == 1);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(unwritten));
}

int main() {
  for (int i = 0; i < W * H * D; i++) host[0][0][i] = 1 + i * i % 37 * 4;
  CHECK(cudaMalloc(&out, sizeof host));
  two_dimensions();
  three_dimensions(0);
  three_dimensions(cudaArrayLayered);
  levels_of_detail();
  memory_as_texture();
  rows();
  stored_once();
  CHECK(cudaFree(out));
  if (!wrong) printf("passed\n");
  return wrong != 0;
}
