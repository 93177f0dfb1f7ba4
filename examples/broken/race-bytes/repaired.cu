// Repaired: each thread writes its own byte.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_bytes(int *out) {
    __shared__ unsigned char bytes[68];
    bytes[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = bytes[threadIdx.x];
}
