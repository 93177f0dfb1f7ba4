// Repaired: each lane loads the row that it names for stmatrix; __syncwarp comes behind the stores of other lanes.
// targets: compute_90
// flags: -lineinfo
extern "C" __global__ void race_stmatrix_own_rows(uint4 *out) {
    __shared__ uint4 rows[32];
    unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(&rows[threadIdx.x]));
    unsigned bits = threadIdx.x;
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" :: "r"(row), "r"(bits) : "memory");
    __syncwarp();
    out[threadIdx.x] = rows[threadIdx.x];
}
