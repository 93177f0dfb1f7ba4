// Broken: the last row that a warp stores lies behind the end of the array.
// targets: compute_90a
// flags: -lineinfo
#include <cstdint>
extern "C" __global__ void stmatrix_out_of_bounds(unsigned *out) {
    __shared__ alignas(16) unsigned tile[15][4];
    __shared__ unsigned next[32];
    next[threadIdx.x] = threadIdx.x;
    unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(tile[threadIdx.x % 16]));
    unsigned value = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" :: "r"(row), "r"(value) : "memory");
    __syncwarp();
    out[threadIdx.x] = tile[threadIdx.x % 15][threadIdx.x % 4] + next[31 - threadIdx.x];
}
