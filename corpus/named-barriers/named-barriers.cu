// Named and partial barriers: two halves of a block hand buffers to each other with bar.arrive and bar.sync, and barriers that
// count or combine a predicate of all threads.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void named_barriers(const int *values, int *out, int rounds) {
    __shared__ int buffer[64];
    int thread = threadIdx.x % 64;
    bool producer = threadIdx.x < 64;
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (producer) {
            if (round > 0) asm volatile("barrier.sync 2, 128;" ::: "memory");   // until the buffer is drained
            buffer[thread] = values[round * 64 + thread];
            asm volatile("barrier.arrive 1, 128;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 128;" ::: "memory");
            sum += buffer[63 - thread] * (round + 1);
            asm volatile("barrier.sync 3, 64;" ::: "memory");                   // the consumers among themselves
            if (round + 1 < rounds) asm volatile("barrier.arrive 2, 128;" ::: "memory");
        }
    }
    int positive = __syncthreads_count(sum > 0), all = __syncthreads_and(sum >= -1000000), any = __syncthreads_or(sum == 12345678);
    if (!producer) out[thread] = sum;
    if (threadIdx.x == 0) {
        out[64] = positive;
        out[65] = all != 0;
        out[66] = any != 0;
    }
}
