// Broken: the kernel uses dynamic shared memory, the launch gives none ("shared": 0).
// targets: compute_80
// flags: -lineinfo
extern __shared__ int pool[];

extern "C" __global__ void missing_shared_size(int *out) {
    pool[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = pool[31 - threadIdx.x];
}
