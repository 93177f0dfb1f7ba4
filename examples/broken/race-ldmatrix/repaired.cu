// Repaired: __syncwarp stands between.
// targets: compute_90a
// flags: -lineinfo
extern "C" __global__ void race_ldmatrix(unsigned *out) {
    __shared__ __align__(16) unsigned tile[32];
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[4 * (threadIdx.x % 8)])), bits;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(bits) : "r"(row) : "memory");
    out[threadIdx.x] = bits;
}
