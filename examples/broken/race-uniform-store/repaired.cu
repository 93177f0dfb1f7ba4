// Repaired: all lanes arrive.
// targets: compute_80
// flags: -lineinfo
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void race_uniform_store(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int answer;
    int t = threadIdx.x;
    if (t == 0) init(&ready, 64);
    __syncthreads();
    if (t < 32) {
        answer = in[0];
        (void)ready.arrive();
    } else {
        ready.arrive_and_wait();
        if (t == 32) answer = answer + 1;
        __syncwarp();
        out[t - 32] = answer;
    }
}
