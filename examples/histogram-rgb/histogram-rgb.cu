// Histograms of the three channels of an image at once, with a private copy of the counts for every warp.
// targets: compute_80
// flags: -lineinfo
//
// Pixels are packed bytes R, G, B, A; four of them come with one load. A warp counts in its own part of dynamic shared memory
// (so blockDim.x / 32 * 3 * 256 * 4 bytes must be given at the launch), and lanes of a warp that meet the same bin are counted by
// one of them. At the end the block adds its warps' counts to the global ones.
constexpr int BINS = 256, CHANNELS = 3;

extern __shared__ unsigned counts_of_warps[];

/// Adds one for each of the active lanes; equal bins are found with match and counted once.
static __device__ void count(unsigned *counts, unsigned bin) {
    unsigned active = __activemask(), same = __match_any_sync(active, bin);
    int lane = threadIdx.x % 32;
    if (lane == __ffs(same) - 1) atomicAdd(&counts[bin], unsigned(__popc(same)));
}

extern "C" __global__ void histogram_rgb(const uint4 *pixels, unsigned *counts, int vectors) {
    int warps = blockDim.x / 32, warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < warps * CHANNELS * BINS; i += blockDim.x) counts_of_warps[i] = 0;
    __syncthreads();
    unsigned *own = counts_of_warps + warp * CHANNELS * BINS;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        uint4 four = pixels[i];
        unsigned words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int pixel = 0; pixel < 4; pixel++) {
#pragma unroll
            for (int channel = 0; channel < CHANNELS; channel++) count(own + channel * BINS, __byte_perm(words[pixel], 0, 0x4440 + channel));
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < CHANNELS * BINS; i += blockDim.x) {
        unsigned sum = 0;
        for (int other = 0; other < warps; other++) sum += counts_of_warps[other * CHANNELS * BINS + i];
        if (sum != 0) atomicAdd(&counts[i], sum);
    }
}
