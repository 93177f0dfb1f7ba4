// Repaired: a second barrier ends each round.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_double_buffer(const int *in, int *out, int rounds) {
    __shared__ int buffer[64];
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        buffer[threadIdx.x] = in[round * 64 + threadIdx.x];
        __syncthreads();
        sum += buffer[63 - threadIdx.x] * (round + 1);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
