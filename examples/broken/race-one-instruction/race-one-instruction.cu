// Broken: all threads store their own number to one word by one instruction.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_one_instruction(int *out) {
    __shared__ int last;
    last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}
