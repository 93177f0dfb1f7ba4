// A slot from an atomic counter belongs to one thread alone; counted by atomics, read plainly behind the barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void atomic_slots(const int *in, int *out) {
    __shared__ int count, slots[128], bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    slots[atomicAdd(&count, 1)] = in[threadIdx.x] + threadIdx.x;
    atomicAdd(&bins[threadIdx.x % 8], 1);
    __syncthreads();
    out[threadIdx.x] = slots[threadIdx.x] + bins[threadIdx.x % 8] + count;
}
