// All lanes of a warp store one value, and one of them alone tells the others: whoever's store is read, the value is the same.
// targets: compute_80
// flags: -lineinfo
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void uniform_store(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int answer;
    int t = threadIdx.x;
    if (t == 0) init(&ready, 33);
    __syncthreads();
    if (t < 32) {
        answer = in[0];
        if (t == 0) (void)ready.arrive();
    } else {
        ready.arrive_and_wait();
        out[t - 32] = answer;
    }
}
