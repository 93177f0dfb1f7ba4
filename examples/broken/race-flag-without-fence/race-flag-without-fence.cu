// Broken: a warp waits on a volatile flag, but no fence orders the message before it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_flag_without_fence(const int *in, int *out) {
    __shared__ int message;
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        message = in[0];
        // __threadfence_block() belongs here
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0) {}
        // and here
        out[0] = message;
    }
}
