// Broken: a lock keeps other blocks out, but no fence hands on what they wrote.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_lock_between_blocks(int *lock, int *sum, const int *in) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    // __threadfence() belongs here
    *sum += in[blockIdx.x] + 1;
    // and here
    atomicExch(lock, 0);
}
