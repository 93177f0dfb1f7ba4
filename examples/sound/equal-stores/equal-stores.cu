// All threads store the same value to one word: nobody can tell who was last.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void equal_stores(const int *in, int *out) {
    __shared__ int found, any;
    if (threadIdx.x == 0) any = 0;
    __syncthreads();
    found = 7;
    if (in[threadIdx.x] == 0) any = 1;
    __syncthreads();
    out[threadIdx.x] = found + any;
}
