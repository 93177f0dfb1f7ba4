// Repaired: the fences reach the whole device.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_flag_between_blocks(int *message, volatile int *flag, int *out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *message = 42;
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {}
        __threadfence();
        *out = *message;
    }
}
