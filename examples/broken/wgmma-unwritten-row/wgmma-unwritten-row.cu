// Broken: the last four rows of A were never stored, and what comes of them is.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static unsigned long long descriptor(const void *p) {
    return static_cast<unsigned long long>(place(p) & 0x3ffff) >> 4 | (128ull >> 4) << 16 | (256ull >> 4) << 32;
}
// Rows are groups of eight, of two cores of 8 rows by 16 bytes each.
extern "C" __global__ void wgmma_unwritten_row(const uint4 *in, float *out) {
    __shared__ __align__(1024) uint4 a[128], b[16];
    float d[4] = {};
    int t = threadIdx.x, row = 8 * (t / 16) + t % 8;
    if (row < 60) a[t] = in[t];
    if (t < 16) b[t] = in[128 + t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) :: "memory");
    asm volatile("{ .reg .pred one; setp.eq.u32 one, 0, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, one, 1, 1, 0, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a)), "l"(descriptor(b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) :: "memory");
    for (int i = 0; i < 4; i++) {
        int to = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2);
        out[8 * to + t % 4 * 2 + i % 2] = d[i];
    }
}
