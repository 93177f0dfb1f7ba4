// Broken: 3 * 168 registers are 504, and 40 + 2 * 240 are 520: the last warps never get theirs.
// targets: compute_90a
// flags: -lineinfo
extern "C" __global__ void __maxnreg__(168) setmaxnreg_too_many(const int *in, int *out) {
    __shared__ int tile[256];
    if (threadIdx.x >= 256) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        for (int i = threadIdx.x - 256; i < 256; i += 128) tile[i] = in[i];
        __syncthreads();
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        __syncthreads();
        out[threadIdx.x] = tile[threadIdx.x ^ 1];
    }
}
