// Repaired: the barrier itself says whether any thread has found one.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void same_value_stores(const int *in, int *out) {
    int found = __syncthreads_or(in[threadIdx.x] == 0);
    if (threadIdx.x == 0) *out = found;
}
