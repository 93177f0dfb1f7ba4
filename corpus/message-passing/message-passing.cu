// A relay of messages from block to block through global memory with release and acquire, and fences of all scopes.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void message_passing(int *letters, unsigned *flags, int *out) {
    int block = blockIdx.x;
    if (threadIdx.x == 0 && block > 0) {
        unsigned flag;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(&flags[block]) : "memory");
        } while (flag == 0);
    }
    __syncthreads();
    int letter = letters[block * 32 + threadIdx.x];
    out[block * 32 + threadIdx.x] = letter;
    if (block + 1 < gridDim.x) {
        letters[(block + 1) * 32 + (threadIdx.x + 1) % 32] = letter * 3 + block;
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            if (block % 2 == 0) {
                asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(&flags[block + 1]) : "memory");
            } else {
                __threadfence_system();
                atomicExch(&flags[block + 1], 1u);
            }
        }
    }
    __threadfence_block();
}
