// Dekker's two flags with fence.sc: at least one of two warps sees the other's.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void fence_sc(int *out) {
    __shared__ volatile int mine, yours;
    if (threadIdx.x == 0) mine = 0, yours = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        mine = 1;
        asm volatile("fence.sc.cta;" ::: "memory");
        out[0] = yours;
    } else if (threadIdx.x == 32) {
        yours = 1;
        asm volatile("fence.sc.cta;" ::: "memory");
        out[1] = mine;
    }
}
