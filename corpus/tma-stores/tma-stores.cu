// Tensor copies out of shared memory of 1, 3, 4 and 5 dimensions, partly outside the tensor; the reductions of u32 that tensors have;
// and prefetches, which change nothing.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int MOST = 2048;

#define AT1 "{%1}"
#define AT3 "{%1, %2, %3}"
#define AT4 "{%1, %2, %3, %4}"
#define AT5 "{%1, %2, %3, %4, %5}"

/// The words of the box are `value(0)`, `value(1)` ... as they stand in shared memory.
#define STORE(OPERATION, RANK, COORDINATES, LAST, ...)                                                                             \
    __shared__ alignas(128) unsigned tile[MOST];                                                                                   \
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = 7 * i + 1;                                                     \
    async_proxy_fence();                                                                                                           \
    __syncthreads();                                                                                                               \
    if (threadIdx.x == 0) {                                                                                                        \
        asm volatile("cp.async.bulk.prefetch.tensor." #RANK "d.L2.global.tile [%0, " COORDINATES "];" ::"l"(&map), __VA_ARGS__);   \
        asm volatile(OPERATION ".bulk_group [%0, " COORDINATES "], [%" #LAST "];" ::"l"(&map), __VA_ARGS__, "r"(shared_address(tile)) : "memory"); \
        finish_stores();                                                                                                           \
    }

#define PLAIN(RANK) "cp.async.bulk.tensor." #RANK "d.global.shared::cta.tile"
#define MAP const __grid_constant__ CUtensorMap map

extern "C" __global__ void store1(MAP, int words, int a) { STORE(PLAIN(1), 1, AT1, 2, "r"(a)) }
extern "C" __global__ void store3(MAP, int words, int a, int b, int c) { STORE(PLAIN(3), 3, AT3, 4, "r"(a), "r"(b), "r"(c)) }
extern "C" __global__ void store4(MAP, int words, int a, int b, int c, int d) { STORE(PLAIN(4), 4, AT4, 5, "r"(a), "r"(b), "r"(c), "r"(d)) }
extern "C" __global__ void store5(MAP, int words, int a, int b, int c, int d, int e) {
    STORE(PLAIN(5), 5, AT5, 6, "r"(a), "r"(b), "r"(c), "r"(d), "r"(e))
}

#define REDUCE(NAME)                                                                     \
    extern "C" __global__ void reduce_##NAME(MAP, int words, int a, int b, int c) {     \
        STORE("cp.reduce.async.bulk.tensor.3d.global.shared::cta." #NAME ".tile", 3, AT3, 4, "r"(a), "r"(b), "r"(c)) \
    }
REDUCE(add)
REDUCE(min)
REDUCE(max)
REDUCE(inc)
REDUCE(dec)
REDUCE(and)
REDUCE(or)
REDUCE(xor)
