// Broken: only the even lanes of each warp reach the barrier; bar.sync wants all threads of the warp to execute it together.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void divergent_barrier(const int *in, int *out) {
    __shared__ int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
        out[threadIdx.x] = values[63 - threadIdx.x];
    } else {
        out[threadIdx.x] = 0;
    }
}
