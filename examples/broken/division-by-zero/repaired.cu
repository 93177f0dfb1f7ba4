// Repaired: the mean of no numbers is 0.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void division_by_zero(const int *sums, const int *counts, int *means) {
    int t = threadIdx.x;
    means[t] = counts[t] == 0 ? 0 : sums[t] / counts[t];
}
