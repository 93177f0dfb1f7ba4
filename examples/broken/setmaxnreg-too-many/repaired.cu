// Repaired: 40 + 2 * 232 are 504.
// targets: compute_90a
// flags: -lineinfo
extern "C" __global__ void __maxnreg__(168) setmaxnreg_too_many(const int *in, int *out) {
    __shared__ int tile[256];
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int i = threadIdx.x - 256; i < 256; i += 128) tile[i] = in[i];
        __syncthreads();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        __syncthreads();
        out[threadIdx.x] = tile[threadIdx.x ^ 1];
    }
}
