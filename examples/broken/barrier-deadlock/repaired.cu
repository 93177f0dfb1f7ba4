// Repaired: both warps meet at one barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void barrier_deadlock(int *out) {
    if (threadIdx.x < 32) asm volatile("barrier.sync 1, 64;" ::: "memory");
    else asm volatile("barrier.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}
