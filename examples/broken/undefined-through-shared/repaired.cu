// Repaired: every thread has a value.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void undefined_through_shared(const int *in, int *out) {
    __shared__ int values[64];
    int i = threadIdx.x;
    int value = 0;
    if (i < 32) value = in[i];
    values[i] = value;
    __syncthreads();
    out[i] = values[63 - i];
}
