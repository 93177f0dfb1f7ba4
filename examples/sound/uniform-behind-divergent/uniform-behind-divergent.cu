// One thread does more, and the compiler doubles the uniform test behind it: both arms come to the barrier, or both pass it. As in
// Marlin.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void uniform_behind_divergent(int *locks, int *out, int slice, int slices) {
    __shared__ int word;
    if (threadIdx.x == 0) {
        word = 1;
        if (slice == slices - 1) goto LAST;
        locks[0] = 5;
    } else if (slice == slices - 1) {
    LAST:
        __syncthreads();
        out[threadIdx.x] = word;
        return;
    }
    out[threadIdx.x] = 2;
}
