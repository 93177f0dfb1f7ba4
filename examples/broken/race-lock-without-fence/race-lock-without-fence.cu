// Broken: the lock of compare-and-swap has no fences: what was done under it is in no order.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_lock_without_fence(int *out) {
    __shared__ int lock, value;
    if (threadIdx.x == 0) lock = 0, value = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {}
        // __threadfence_block() belongs here
        value += 1;
        // and here
        atomicExch(&lock, 0);
    }
    __syncthreads();
    out[threadIdx.x] = value;
}
