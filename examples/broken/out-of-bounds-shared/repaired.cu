// Repaired: the last thread has no neighbour.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds_shared(const int *in, int *out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x] + (threadIdx.x < 63 ? values[threadIdx.x + 1] : 0);
}
