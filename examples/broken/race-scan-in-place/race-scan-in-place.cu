// Broken: the scan reads its neighbour and stores in place with no barrier between: a thread may store before another has read.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_scan_in_place(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t] + 1;
    for (int step = 1; step < 64; step *= 2) {
        __syncthreads();
        int other = t >= step ? s[t - step] : 0;
        // __syncthreads() belongs here
        s[t] += other;
    }
    __syncthreads();
    out[t] = s[t];
}
