// Threads arrive at an mbarrier, work on something else, and wait: what came before the arrivals is seen behind the wait.
// targets: compute_80
// flags: -lineinfo
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void split_phase_barrier(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    __shared__ int left[64], right[64];
    int t = threadIdx.x;
    if (t == 0) init(&ready, 64);
    __syncthreads();
    left[t] = in[t];
    auto token = ready.arrive();
    int own = in[64 + t] * 3;
    right[t] = own;
    ready.wait(std::move(token));
    int sum = left[63 - t];
    token = ready.arrive();
    ready.wait(std::move(token));
    out[t] = sum + right[63 - t];
}
