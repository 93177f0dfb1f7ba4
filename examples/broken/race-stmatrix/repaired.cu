// Repaired: __syncwarp stands between.
// targets: compute_90a
// flags: -lineinfo
extern "C" __global__ void race_stmatrix(unsigned *out) {
    __shared__ __align__(16) unsigned tile[32];
    unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * (threadIdx.x % 8)]));
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(row), "r"(threadIdx.x) : "memory");
    __syncwarp();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
