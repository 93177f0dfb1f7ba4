// Threads write single bytes of one word; behind the barrier words are read.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void bytes_and_words(int *out) {
    __shared__ unsigned char bytes[256];
    bytes[threadIdx.x] = threadIdx.x;
    bytes[threadIdx.x + 128] = threadIdx.x * 3;
    __syncthreads();
    if (threadIdx.x < 64) out[threadIdx.x] = reinterpret_cast<int *>(bytes)[threadIdx.x];
}
