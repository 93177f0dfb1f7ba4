// Repaired: what is read and what is written are two buffers.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_stencil_in_place(int *a, int *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    int left = a[i > 0 ? i - 1 : i], right = a[i < n - 1 ? i + 1 : i];
    __syncthreads();
    b[i] = (left + right) / 2;
}
