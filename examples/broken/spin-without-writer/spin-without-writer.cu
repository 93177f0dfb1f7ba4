// Broken: a thread waits for a flag that nobody will ever set, since the thread that should set it waits at the barrier behind.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void spin_without_writer(volatile int *flag, int *out) {
    if (threadIdx.x == 0) {
        while (*flag == 0) {}
    }
    __syncthreads();
    if (threadIdx.x == 32) *flag = 1;
    out[threadIdx.x] = *flag;
}
