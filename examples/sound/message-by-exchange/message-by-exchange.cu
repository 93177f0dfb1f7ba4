// A relaxed exchange between two fences hands plain data from one warp to another.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void message_by_exchange(int *out) {
    __shared__ int flag, data[4];
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 4; i++) data[i] = i * i;
        __threadfence_block();
        atomicExch(&flag, 1);
    } else if (threadIdx.x == 32) {
        while (atomicAdd(&flag, 0) == 0) {}
        __threadfence_block();
        out[0] = data[0] + data[1] + data[2] + data[3];
    }
}
