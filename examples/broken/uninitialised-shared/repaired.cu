// Repaired: all threads fill the array.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void uninitialised_shared(const int *in, int *out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = values[63 - threadIdx.x];
}
