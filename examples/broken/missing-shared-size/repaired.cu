// Repaired: the launch gives the kernel its shared memory.
// targets: compute_80
// flags: -lineinfo
extern __shared__ int pool[];

extern "C" __global__ void missing_shared_size(int *out) {
    pool[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = pool[31 - threadIdx.x];
}
