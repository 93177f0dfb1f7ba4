// Reads through the read-only cache what the same thread overwrites afterwards: nothing stale can be read before a write.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void non_coherent_in_place(int *a) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    a[t] = 2 * __ldg(&a[t]) + 1;
}
