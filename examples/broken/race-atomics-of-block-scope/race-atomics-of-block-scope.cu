// Broken: blocks count in one word by atomics that are indivisible within a block only.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_atomics_of_block_scope(const int *in, int *count) {
    if (in[blockIdx.x * blockDim.x + threadIdx.x] == 0) atomicAdd_block(count, 1);
}
