// Repaired: an ordinary load.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void non_coherent_read(int *a, int *b) {
    int t = threadIdx.x;
    a[t] = t * t;
    __syncthreads();
    b[t] = a[t ^ 32];
}
