// Repaired: all add atomically.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_atomic_and_plain(int *out) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x == 33) atomicAdd(&sum, 5);
    else atomicAdd(&sum, 1);
    __syncthreads();
    out[threadIdx.x] = sum;
}
