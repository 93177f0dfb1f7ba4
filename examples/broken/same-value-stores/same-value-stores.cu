// Broken, if only by the letter: threads of several warps set one flag, with nothing between them.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void same_value_stores(const int *in, int *out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (in[threadIdx.x] == 0) found = 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = found;
}
