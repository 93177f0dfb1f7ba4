// Repaired: each lane stores the row that it names for ldmatrix; __syncwarp comes before other lanes read it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_ldmatrix_own_rows(uint4 *out) {
    __shared__ uint4 rows[32];
    rows[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
    unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&rows[threadIdx.x]));
    __syncwarp();
    uint4 bits;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w) : "r"(row) : "memory");
    out[threadIdx.x] = bits;
}
