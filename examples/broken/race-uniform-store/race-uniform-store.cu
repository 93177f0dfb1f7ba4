// Broken: all lanes of a warp store one value, one of them tells the others, and one of those stores another: a lane that nobody waited for may store later.
// targets: compute_80
// flags: -lineinfo
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void race_uniform_store(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int answer;
    int t = threadIdx.x;
    if (t == 0) init(&ready, 33);
    __syncthreads();
    if (t < 32) {
        answer = in[0];
        if (t == 0) (void)ready.arrive(); // all lanes have to
    } else {
        ready.arrive_and_wait();
        if (t == 32) answer = answer + 1;
        __syncwarp();
        out[t - 32] = answer;
    }
}
