// Repaired: the offset counts bytes.
// targets: compute_80
// flags: -lineinfo
extern __shared__ __align__(16) char dynamic[];
extern "C" __global__ void race_carved_arrays(int *out) {
    int *keys = reinterpret_cast<int *>(dynamic);
    short *ranks = reinterpret_cast<short *>(dynamic + 128 * sizeof(int));
    int t = threadIdx.x;
    keys[t] = t;
    ranks[t] = static_cast<short>(t);
    __syncthreads();
    out[t] = keys[127 - t] + ranks[127 - t];
}
