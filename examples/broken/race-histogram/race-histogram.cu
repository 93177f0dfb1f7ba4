// Broken: threads of all blocks count in one histogram without atomics.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_histogram(const int *in, int *bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int bin = (in[i] + i) % 8;
    bins[bin] = bins[bin] + 1;
}
