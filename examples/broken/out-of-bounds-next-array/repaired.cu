// Repaired: the last thread takes the first element.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds_next_array(int *out) {
    __shared__ int left[64];
    __shared__ int right[64];
    int t = threadIdx.x;
    left[t] = t;
    right[t] = 2 * t;
    __syncthreads();
    out[t] = left[(t + 1) % 64] + right[t];
}
