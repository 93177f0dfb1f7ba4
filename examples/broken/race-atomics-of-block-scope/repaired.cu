// Repaired: the atomics reach the whole device.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_atomics_of_block_scope(const int *in, int *count) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] == 0) atomicAdd(count, 1);
}
