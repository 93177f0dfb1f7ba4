// Broken: one barrier a round is not enough. A fast warp fills the buffer of the next round while a slow one still reads it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_double_buffer(const int *in, int *out, int rounds) {
    __shared__ int buffer[64];
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        buffer[threadIdx.x] = in[round * 64 + threadIdx.x];
        __syncthreads();
        sum += buffer[63 - threadIdx.x] * (round + 1);
        // a second __syncthreads(), or a second buffer, belongs here
    }
    out[threadIdx.x] = sum;
}
