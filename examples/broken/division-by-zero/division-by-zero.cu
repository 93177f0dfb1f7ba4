// Broken: the mean of each row, of which one is empty.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void division_by_zero(const int *sums, const int *counts, int *means) {
    int t = threadIdx.x;
    means[t] = sums[t] / counts[t];
}
