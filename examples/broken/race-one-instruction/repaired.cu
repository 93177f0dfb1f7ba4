// Repaired: one thread stores.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_one_instruction(int *out) {
    __shared__ int last;
    if (threadIdx.x == 31) last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}
