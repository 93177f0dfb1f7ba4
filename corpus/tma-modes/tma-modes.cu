// Tensor copies of every rank: a box comes into shared memory and its bytes go out as they stand there, swizzled; a box goes out, or is added to a tensor.
// targets: compute_90a
#include <cuda.h>

constexpr int MOST_BYTES = 16384;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ __forceinline__ void expect(unsigned long long *full, unsigned bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(full)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void wait(unsigned long long *full) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(full)) : "memory");
    }
}

#define LOAD(RANK, COORDINATES, ...)                                                                                                              \
    __shared__ alignas(1024) unsigned char tile[MOST_BYTES];                                                                                      \
    __shared__ alignas(8) unsigned long long full;                                                                                                \
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) tile[i] = 0;                                                                            \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                                                  \
    __syncthreads();                                                                                                                              \
    if (threadIdx.x == 0) {                                                                                                                       \
        expect(&full, counted);                                                                                                                     \
        asm volatile("cp.async.bulk.tensor." #RANK "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, " COORDINATES "], [%2];" \
                     ::"r"(shared_address(tile)), "l"(&map), "r"(shared_address(&full)), __VA_ARGS__ : "memory");                                  \
    }                                                                                                                                             \
    __syncthreads();                                                                                                                              \
    wait(&full);                                                                                                                                  \
    for (int i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = tile[i];

extern "C" __global__ void load1(const __grid_constant__ CUtensorMap map, unsigned char *out, int counted, int bytes, int a) {
    LOAD(1, "{%3}", "r"(a))
}

extern "C" __global__ void load2(const __grid_constant__ CUtensorMap map, unsigned char *out, int counted, int bytes, int a, int b) {
    LOAD(2, "{%3, %4}", "r"(a), "r"(b))
}

extern "C" __global__ void load3(const __grid_constant__ CUtensorMap map, unsigned char *out, int counted, int bytes, int a, int b, int c) {
    LOAD(3, "{%3, %4, %5}", "r"(a), "r"(b), "r"(c))
}

extern "C" __global__ void load4(const __grid_constant__ CUtensorMap map, unsigned char *out, int counted, int bytes, int a, int b, int c, int d) {
    LOAD(4, "{%3, %4, %5, %6}", "r"(a), "r"(b), "r"(c), "r"(d))
}

extern "C" __global__ void load5(const __grid_constant__ CUtensorMap map, unsigned char *out, int counted, int bytes, int a, int b, int c, int d, int e) {
    LOAD(5, "{%3, %4, %5, %6, %7}", "r"(a), "r"(b), "r"(c), "r"(d), "r"(e))
}

// The words of the box are 1, 2, 3 ... as they stand in shared memory.
#define STORE(OPERATION)                                                                                                           \
    __shared__ alignas(1024) unsigned tile[MOST_BYTES / 4];                                                                        \
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = value(i + 1);                                                   \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                                                   \
    __syncthreads();                                                                                                               \
    if (threadIdx.x == 0) {                                                                                                        \
        asm volatile(OPERATION ".bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(a), "r"(b), "r"(shared_address(tile)) : "memory"); \
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");                                      \
    }

static __device__ __forceinline__ unsigned word(int i) { return i; }
static __device__ __forceinline__ unsigned real(int i) { return __float_as_uint(float(i)); }

#define value word
extern "C" __global__ void store2(const __grid_constant__ CUtensorMap map, int words, int a, int b) {
    STORE("cp.async.bulk.tensor.2d.global.shared::cta.tile")
}
extern "C" __global__ void largest2(const __grid_constant__ CUtensorMap map, int words, int a, int b) {
    STORE("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile")
}
extern "C" __global__ void either2(const __grid_constant__ CUtensorMap map, int words, int a, int b) {
    STORE("cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile")
}
#undef value
#define value real
extern "C" __global__ void add2(const __grid_constant__ CUtensorMap map, int words, int a, int b) {
    STORE("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile")
}
