// Broken: warp 0 waits at barrier 1 for 64 threads, warp 1 at barrier 2; neither ever gets company.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void barrier_deadlock(int *out) {
    if (threadIdx.x < 32) asm volatile("barrier.sync 1, 64;" ::: "memory");
    else asm volatile("barrier.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = 1;
}
