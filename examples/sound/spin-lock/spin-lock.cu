// A lock of compare-and-swap and fences around plain accesses, among blocks and among warps of one.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void spin_lock(int *lock, int *count) {
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        count[0] += 1;
        count[1] = count[0] * 2;
        __threadfence();
        atomicExch(lock, 0);
    }
}
