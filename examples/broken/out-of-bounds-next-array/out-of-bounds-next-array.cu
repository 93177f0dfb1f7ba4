// Broken: an index runs over the end of an array in shared memory, into the next one.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds_next_array(int *out) {
    __shared__ int left[64];
    __shared__ int right[64];
    int t = threadIdx.x;
    left[t] = t;
    right[t] = 2 * t;
    __syncthreads();
    out[t] = left[t + 1] + right[t]; // left has no element 64
}
