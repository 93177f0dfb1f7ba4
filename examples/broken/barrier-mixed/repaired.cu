// Repaired: all warps count.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void barrier_mixed(const int *in, int *out) {
    int t = threadIdx.x, value = in[t];
    out[t] = __syncthreads_count(value == 0);
}
