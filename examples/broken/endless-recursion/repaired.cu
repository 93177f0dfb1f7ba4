// Repaired: the recursion ends below zero, too.
// targets: compute_80
// flags: -lineinfo
static __device__ __noinline__ int halve(int n, const int *in) {
    if (n <= 0) return in[0];
    return halve(n - 2, in) + in[n & 7];
}

extern "C" __global__ void endless_recursion(const int *in, int *out, int n) { out[threadIdx.x] = halve(n, in); }
