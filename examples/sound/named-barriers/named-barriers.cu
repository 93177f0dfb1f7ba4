// Two producers and two consumers with barriers of their own: bar.arrive on one side, bar.sync on the other.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void named_barriers(const int *in, int *out, int rounds) {
    __shared__ int buffer[64];
    int t = threadIdx.x % 64;
    if (threadIdx.x < 64) {
        for (int round = 0; round < rounds; round++) {
            if (round > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
            buffer[t] = in[round * 64 + t];
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    } else {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            asm volatile("bar.sync 1, 128;" ::: "memory");
            sum += buffer[63 - t];
            if (round + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
        out[t] = sum;
    }
}
