// The largest of three by three pixels, of images whose channels are interleaved: slices of 8 or 16 channels, so that a pixel of a
// slice is 16 or 32 bytes. TMA brings a slice with a border of zeros and takes the results back.
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int WIDTH = 16, HEIGHT = 4, IN_WIDTH = 24, IN_HEIGHT = HEIGHT + 2;   // rows of a box are multiples of 16 bytes

/// Where 16 bytes of a tile stand: of 32 bytes the halves change places in every other four pixels.
template <int SLICE> static __device__ __forceinline__ int placed(int pixel, int half) {
    return SLICE == 16 ? pixel * 16 : pixel * 32 + ((half ^ (pixel >> 2 & 1)) << 4);
}

template <int SLICE> static __device__ __forceinline__ void pool(const CUtensorMap *in, const CUtensorMap *out, int slices) {
    __shared__ alignas(256) unsigned char pixels[IN_WIDTH * IN_HEIGHT * SLICE];
    __shared__ alignas(256) unsigned char results[WIDTH * HEIGHT * SLICE];
    __shared__ Barrier full;
    int x = blockIdx.x * WIDTH, y = blockIdx.y * HEIGHT, slice = blockIdx.z % slices, image = blockIdx.z / slices;
    if (threadIdx.x == 0) {
        initialise(&full, 1);
        publish_barriers();
        arrive_expecting(&full, sizeof pixels);
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];"
                     ::"r"(shared_address(pixels)), "l"(in), "r"(x - 1), "r"(y - 1), "r"(slice), "r"(image), "r"(shared_address(&full)) : "memory");
    }
    __syncthreads();
    wait(&full, 0);
    constexpr int HALVES = SLICE / 16;
    for (int i = threadIdx.x; i < WIDTH * HEIGHT * HALVES; i += blockDim.x) {
        int half = i % HALVES, pixel = i / HALVES, column = pixel % WIDTH, row = pixel / WIDTH;
        __half2 largest[4];
        for (int tap = 0; tap < 9; tap++) {
            int from = (row + tap / 3) * IN_WIDTH + column + tap % 3;
            const __half2 *values = reinterpret_cast<const __half2 *>(pixels + placed<SLICE>(from, half));
            for (int j = 0; j < 4; j++) largest[j] = tap == 0 ? values[j] : __hmax2(largest[j], values[j]);
        }
        __half2 *to = reinterpret_cast<__half2 *>(results + placed<SLICE>(pixel, half));
        for (int j = 0; j < 4; j++) to[j] = largest[j];
    }
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];"
                     ::"l"(out), "r"(x), "r"(y), "r"(slice), "r"(image), "r"(shared_address(results)) : "memory");
        finish_stores();
    }
}

extern "C" __global__ void __launch_bounds__(64) pool_16(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int slices) {
    pool<16>(&in, &out, slices);
}

extern "C" __global__ void __launch_bounds__(64) pool_32(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int slices) {
    pool<32>(&in, &out, slices);
}
