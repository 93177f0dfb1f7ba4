// Broken: each thread writes the byte of its neighbour too: two threads write one byte.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_bytes(int *out) {
    __shared__ unsigned char bytes[68];
    bytes[threadIdx.x] = threadIdx.x;
    bytes[threadIdx.x + 1] = 200 + threadIdx.x % 2;   // the neighbour's
    __syncthreads();
    out[threadIdx.x] = bytes[threadIdx.x];
}
