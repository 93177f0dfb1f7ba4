// A convolution of three by three taps as a product: for each tap TMA gathers the pixels of a tile in im2col mode, with zeros
// outside of the image, into a ring of stages, where wgmma multiplies them by the filters of that tap.
// targets: compute_90a
// flags: -lineinfo
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int CHANNELS = 64, FILTERS = 64, PIXELS = 64, TAPS = 9, STAGES = 3;
constexpr int STAGE_BYTES = (PIXELS + FILTERS) * CHANNELS * 2;

static __device__ __forceinline__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32 ", %32, %33, p, 1, 1, 0, 0;}"
                 : THIRTY_TWO("+f", d) : "l"(a), "l"(b));
}

static __device__ __forceinline__ void load_pixels(void *to, const CUtensorMap *map, int x, int y, int image, int tap, Barrier *full) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};"
                 ::"r"(shared_address(to)), "l"(map), "r"(0), "r"(x), "r"(y), "r"(image), "r"(shared_address(full)),
                 "h"(static_cast<unsigned short>(tap % 3)), "h"(static_cast<unsigned short>(tap / 3)) : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_conv_im2col(const __grid_constant__ CUtensorMap images, const __grid_constant__ CUtensorMap filters, float *out, int width, int height, int count) {
    __shared__ alignas(1024) __half pixels[STAGES][PIXELS * CHANNELS];
    __shared__ alignas(1024) __half taps[STAGES][FILTERS * CHANNELS];
    __shared__ Barrier full[STAGES];
    int first = blockIdx.x * PIXELS, x = first % width, y = first / width % height, image = first / (width * height);
    auto load = [&](int tap) {
        Barrier *barrier = &full[tap % STAGES];
        arrive_expecting(barrier, STAGE_BYTES);
        load_pixels(pixels[tap % STAGES], &images, x - 1, y - 1, image, tap, barrier);
        load_tile(taps[tap % STAGES], &filters, tap * CHANNELS, 0, barrier);
    };
    if (threadIdx.x == 0) {
        for (Barrier &barrier : full) initialise(&barrier, 1);
        publish_barriers();
        for (int tap = 0; tap < STAGES; tap++) load(tap);
    }
    __syncthreads();
    float sums[32] = {};
    for (int tap = 0; tap < TAPS; tap++) {
        int stage = tap % STAGES;
        wait(&full[stage], tap / STAGES & 1);
        unsigned a = shared_address(pixels[stage]), b = shared_address(taps[stage]);
        begin_group();
        for (int k = 0; k < CHANNELS * 2; k += 32) multiply(sums, descriptor<128>(a + k), descriptor<128>(b + k));
        commit_group();
        wait_groups();
        __syncthreads();
        if (threadIdx.x == 0 && tap + STAGES < TAPS) load(tap + STAGES);
    }
    for (int i = 0; i < 32; i++) {
        int pixel = first + row_of(i);
        if (pixel < count) out[pixel * FILTERS + column_of(i)] = sums[i];
    }
}
