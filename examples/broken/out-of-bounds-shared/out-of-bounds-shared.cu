// Broken: a reduction whose last step reads one element past its shared array.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds_shared(const int *in, int *out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + 1];   // thread 63 reads values[64]
}
