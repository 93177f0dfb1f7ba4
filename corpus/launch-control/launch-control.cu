// Blocks that take over the work of others: each multiplies its tile, cancels a block that has not begun and goes on with that one's
// tile, until none is left. Every tile is done exactly once, whoever does it.
// targets: compute_120a
#include "../device/hopper.cuh"

extern "C" __global__ void launch_control(const float *in, float *out, unsigned *times) {
    __shared__ alignas(16) uint4 answer;
    __shared__ Barrier answered;
    if (threadIdx.x == 0) {
        initialise(&answered, 1);
        publish_barriers();
    }
    __syncthreads();
    unsigned tile = blockIdx.x, round = 0;
    while (true) {
        if (threadIdx.x == 0) {
            arrive_expecting(&answered, sizeof answer);
            asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], [%1];"
                         ::"r"(shared_address(&answer)), "r"(shared_address(&answered)) : "memory");
            atomicAdd(&times[tile], 1);
        }
        int at = tile * blockDim.x + threadIdx.x;
        out[at] = in[at] * in[at] - 1;
        wait(&answered, round++ & 1);
        unsigned canceled, next;
        asm volatile("{.reg .b128 a; .reg .pred p; .reg .b32 x, y, z; .reg .b64 low, high;\n\t"
                     "ld.shared.v2.b64 {low, high}, [%2]; mov.b128 a, {low, high};\n\t"
                     "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, a; selp.u32 %0, 1, 0, p; mov.u32 %1, 0;\n\t"
                     "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, y, z, _}, a;}"
                     : "=r"(canceled), "=r"(next) : "r"(shared_address(&answer)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (!canceled) break;
        tile = next;
    }
}
