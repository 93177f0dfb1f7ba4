// Repaired: they count by atomics.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_histogram(const int *in, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bin = (in[i] + i) % 8;
    atomicAdd(&bins[bin], 1);
}
