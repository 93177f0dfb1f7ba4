// Repaired: the writer comes before the barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void spin_without_writer(volatile int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (*flag == 0) {}
    }
    if (threadIdx.x == 32) *flag = 1;
    __syncthreads();
    out[threadIdx.x] = *flag;
}
