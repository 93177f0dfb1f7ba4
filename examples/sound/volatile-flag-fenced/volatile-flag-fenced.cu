// One warp waits for another on a volatile flag, a fence on either side.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void volatile_flag_fenced(int *out) {
    __shared__ int message[32];
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        message[threadIdx.x] = threadIdx.x * 3;
        __threadfence_block();
        __syncwarp();
        if (threadIdx.x == 0) {
            __threadfence_block();
            flag = 1;
        }
    } else {
        while (flag == 0) {}
        __threadfence_block();
        out[threadIdx.x - 32] = message[63 - threadIdx.x];
    }
}
