// Repaired: all threads come to the barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void divergent_barrier(const int *in, int *out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x % 2 == 0) {
        out[threadIdx.x] = values[63 - threadIdx.x];
    } else {
        out[threadIdx.x] = 0;
    }
}
