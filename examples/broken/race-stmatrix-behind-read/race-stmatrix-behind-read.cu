// Broken: each lane reads the row that it names for stmatrix, without __syncwarp before other lanes store it.
// targets: compute_90
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void race_stmatrix_behind_read(uint4 *out) {
    __shared__ uint4 rows[32];
    unsigned row = place(&rows[threadIdx.x]);
    rows[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
    __syncwarp();
    uint4 before = rows[threadIdx.x];
    // __syncwarp belongs here
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" :: "r"(row), "r"(threadIdx.x) : "memory");
    __syncwarp();
    out[threadIdx.x] = make_uint4(before.x, before.y, rows[threadIdx.x].x, rows[threadIdx.x].y);
}
