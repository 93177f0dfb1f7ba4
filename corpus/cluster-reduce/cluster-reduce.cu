// Sums and extremes over a cluster of eight blocks by distributed shared memory: rank 0 reads the others' sums (ld), every block
// pushes its largest to rank 7 (atom, whose old value says who came first), and counts itself in every block (red).
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int BLOCKS = 8;

struct Results {
    double sum;
    unsigned largest, firsts, visits[BLOCKS];
};

extern "C" __global__ void __cluster_dims__(BLOCKS) cluster_reduce(const float *values, Results *out, int perBlock) {
    __shared__ double sums[4];
    __shared__ unsigned long long total;   // the bits of a double
    __shared__ unsigned largest, firsts, visits;
    unsigned rank = cluster_rank();
    if (threadIdx.x == 0) largest = 0, firsts = 0, visits = 0;
    cluster_sync();
    values += blockIdx.x * perBlock;
    double sum = 0;
    float top = 0;
    for (int i = threadIdx.x; i < perBlock; i += blockDim.x) sum += values[i], top = fmaxf(top, values[i]);
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(~0u, sum, step);
        top = fmaxf(top, __shfl_xor_sync(~0u, top, step));
    }
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    if (threadIdx.x % 32 == 0) {
        unsigned old, place = in_block(&largest, BLOCKS - 1);
        asm volatile("atom.relaxed.cluster.shared::cluster.max.u32 %0, [%1], %2;" : "=r"(old) : "r"(place), "r"(__float_as_uint(top)) : "memory");
        if (old == 0) asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(in_block(&firsts, BLOCKS - 1)) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) total = static_cast<unsigned long long>(__double_as_longlong(sums[0] + sums[1] + sums[2] + sums[3]));
    if (threadIdx.x < BLOCKS) asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(in_block(&visits, threadIdx.x)), "r"(rank + 1) : "memory");
    cluster_sync();
    Results &result = out[blockIdx.x / BLOCKS];
    if (rank == 0 && threadIdx.x == 0) {
        double all = 0;
        for (int block = 0; block < BLOCKS; block++) {
            unsigned long long bits;
            asm volatile("ld.shared::cluster.b64 %0, [%1];" : "=l"(bits) : "r"(in_block(&total, block)) : "memory");
            all += __longlong_as_double(static_cast<long long>(bits));
        }
        result.sum = all;
    }
    if (rank == BLOCKS - 1 && threadIdx.x == 0) result.largest = largest, result.firsts = firsts;
    if (threadIdx.x == 0) result.visits[rank] = visits;
    cluster_sync();   // rank 0 has read everybody's sum
}
