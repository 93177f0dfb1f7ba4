// A reduction inside a warp through shared memory, __syncwarp between reading and writing.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void warp_synchronous(const int *in, int *out) {
    __shared__ int s[64];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[t] + t;
    for (int step = 16; step > 0; step /= 2) {
        __syncwarp();
        int other = lane < step ? s[t + step] : 0;
        __syncwarp();
        s[t] += other;
    }
    if (lane == 0) out[t / 32] = s[t];
}
