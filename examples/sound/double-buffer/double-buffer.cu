// Two buffers and one barrier a round: a warp that runs ahead fills the other buffer.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void double_buffer(const int *in, int *out, int rounds) {
    __shared__ int buffer[2][64];
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        buffer[round & 1][threadIdx.x] = in[round * 64 + threadIdx.x];
        __syncthreads();
        sum += buffer[round & 1][63 - threadIdx.x] * (round + 1);
    }
    out[threadIdx.x] = sum;
}
