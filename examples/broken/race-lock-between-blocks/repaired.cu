// Repaired: a fence stands behind the lock is taken, and before it is given back.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_lock_between_blocks(int *lock, int *sum, const int *in) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *sum += in[blockIdx.x] + 1;
    __threadfence();
    atomicExch(lock, 0);
}
