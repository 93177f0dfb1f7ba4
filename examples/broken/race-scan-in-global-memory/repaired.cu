// Repaired: all have read before any writes.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_scan_in_global_memory(int *a) {
    int i = threadIdx.x;
    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        int left = i >= offset ? a[i - offset] : 0;
        __syncthreads();
        a[i] += left;
        __syncthreads();
    }
}
