// Threads without work leave before the barrier: it waits for those that are left.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void early_exit(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t >= n) return;
    __syncthreads();
    out[t] = s[n - 1 - t];
}
