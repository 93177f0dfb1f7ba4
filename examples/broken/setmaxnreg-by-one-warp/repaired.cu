// Repaired: all four warps of its warpgroup do.
// targets: compute_90a
// flags: -lineinfo
extern "C" __global__ void __launch_bounds__(256, 1) setmaxnreg_by_one_warp(const int *in, int *out) {
    __shared__ int tile[256];
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int i = threadIdx.x; threadIdx.x < 32 && i < 256; i += 32) tile[i] = in[i];
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
