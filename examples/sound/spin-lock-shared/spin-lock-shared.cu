// A lock in shared memory that every lane takes in turn; divergence within the warp must not make it hang.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void spin_lock_shared(int *out) {
    __shared__ int lock, value;
    if (threadIdx.x == 0) lock = 0, value = 0;
    __syncthreads();
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            value += threadIdx.x;
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) out[0] = value;
}
