// Divides before it knows whether it may, and takes the quotient only where it does.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void division_thrown_away(const int *sums, const int *counts, int *means) {
    int t = threadIdx.x, count = counts[t], quotient;
    asm volatile("div.s32 %0, %1, %2;" : "=r"(quotient) : "r"(sums[t]), "r"(count));
    means[t] = count == 0 ? 0 : quotient;
}
