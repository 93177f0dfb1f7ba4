// What the kernels for sm_90a and sm_120a share: PTX that CUDA C++ has no words for, each instruction once.
#pragma once
#include <cuda.h>

using Word = unsigned;
using Barrier = unsigned long long;   // an mbarrier

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// mbarriers

static __device__ __forceinline__ void initialise(Barrier *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/// Makes initialised mbarriers visible to the cluster and to the asynchronous proxy; a barrier of the threads must follow.
static __device__ __forceinline__ void publish_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void arrive(Barrier *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

static __device__ __forceinline__ void arrive_expecting(Barrier *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void wait(Barrier *barrier, unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    }
}

/// As `wait`, and sees what other blocks of the cluster did before they arrived.
static __device__ __forceinline__ void wait_for_cluster(Barrier *barrier, unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    }
}

// clusters

static __device__ __forceinline__ unsigned cluster_rank() {
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

static __device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// The same place in the shared memory of another block of the cluster.
static __device__ __forceinline__ unsigned in_block(const void *pointer, unsigned rank) {
    unsigned address;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(pointer)), "r"(rank));
    return address;
}

static __device__ __forceinline__ void arrive_in(unsigned remote_barrier) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote_barrier) : "memory");
}

// copies

static __device__ __forceinline__ void async_proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

static __device__ __forceinline__ void load_tile(void *to, const CUtensorMap *map, int column, int row, Barrier *full) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(shared_address(to)), "l"(map), "r"(column), "r"(row), "r"(shared_address(full)) : "memory");
}

static __device__ __forceinline__ void store_tile(const CUtensorMap *map, int column, int row, const void *from) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(map), "r"(column), "r"(row), "r"(shared_address(from)) : "memory");
}

static __device__ __forceinline__ void finish_stores() {
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

// wgmma

/// A tile whose rows (along k) are one span of a swizzle of 128, 64 or 32 bytes: groups of eight rows follow each other.
template <int SWIZZLE>
static __device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    constexpr unsigned long long MODE = SWIZZLE == 128 ? 1 : SWIZZLE == 64 ? 2 : 3;
    return (address & 0x3ffff) >> 4 | 1ull << 16 | (SWIZZLE * 8ull >> 4) << 32 | MODE << 62;
}

static __device__ __forceinline__ void begin_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
static __device__ __forceinline__ void commit_group() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// Waits until at most so many groups are under way.
template <int PENDING = 0>
static __device__ __forceinline__ void wait_groups() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory"); }

/// Where accumulator `i` of this thread stands in the 64 rows of its warpgroup.
static __device__ __forceinline__ int row_of(int i) { return threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4 + i / 2 % 2 * 8; }
static __device__ __forceinline__ int column_of(int i) { return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2; }

// Operands of inline assembly: accumulators of m64n16, m64n32 and m64n64. ALWAYS sets the predicate that scales d by one.
#define ALWAYS "{.reg .pred p; setp.eq.u32 p, 0, 0;\n\t"
#define NAMES_8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define NAMES_16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define NAMES_32                                                                              \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23," \
    "%24,%25,%26,%27,%28,%29,%30,%31}"
#define FOUR(C, d, i) C((d)[i]), C((d)[i + 1]), C((d)[i + 2]), C((d)[i + 3])
#define EIGHT(C, d) FOUR(C, d, 0), FOUR(C, d, 4)
#define SIXTEEN(C, d) EIGHT(C, d), FOUR(C, d, 8), FOUR(C, d, 12)
#define THIRTY_TWO(C, d) SIXTEEN(C, d), FOUR(C, d, 16), FOUR(C, d, 20), FOUR(C, d, 24), FOUR(C, d, 28)
