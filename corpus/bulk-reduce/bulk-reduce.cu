// Bulk reductions from shared to global memory, every operation on every type that it has: each of four blocks brings its numbers.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int BYTES = 256, OPERATIONS = 24;

#define REDUCE(i, OPERATION)                                                                                                                   \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." OPERATION " [%0], [%1], %2;" ::"l"(out + i * BYTES), \
                 "r"(shared_address(tile[i])), "n"(BYTES) : "memory")

extern "C" __global__ void __launch_bounds__(64) bulk_reduce(const Word *in, unsigned char *out) {
    __shared__ alignas(128) Word tile[OPERATIONS][BYTES / 4];
    in += blockIdx.x * OPERATIONS * BYTES / 4;
    for (int i = 0; i < OPERATIONS; i++) tile[i][threadIdx.x] = in[i * BYTES / 4 + threadIdx.x];
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        REDUCE(0, "and.b32");
        REDUCE(1, "or.b32");
        REDUCE(2, "xor.b32");
        REDUCE(3, "and.b64");
        REDUCE(4, "or.b64");
        REDUCE(5, "xor.b64");
        REDUCE(6, "add.u32");
        REDUCE(7, "add.s32");
        REDUCE(8, "add.u64");
        REDUCE(9, "inc.u32");
        REDUCE(10, "dec.u32");
        REDUCE(11, "min.u32");
        REDUCE(12, "max.u32");
        REDUCE(13, "min.s32");
        REDUCE(14, "max.s32");
        REDUCE(15, "min.u64");
        REDUCE(16, "max.u64");
        REDUCE(17, "min.s64");
        REDUCE(18, "max.s64");
        REDUCE(19, "add.f32");
        REDUCE(20, "add.f64");
        REDUCE(21, "add.noftz.f16");
        REDUCE(22, "min.bf16");
        REDUCE(23, "add.noftz.bf16");
        finish_stores();
    }
}
