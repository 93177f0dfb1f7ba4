// Broken: the first warp counts at the barrier, the second one only waits there.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void barrier_mixed(const int *in, int *out) {
    int t = threadIdx.x, value = in[t], count = 0;
    if (t < 32) count = __syncthreads_count(value == 0);
    else __syncthreads();
    out[t] = count;
}
