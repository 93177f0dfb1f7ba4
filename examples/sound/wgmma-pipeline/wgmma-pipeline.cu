// Two products of a warpgroup in flight; a tile is overwritten once the product that reads it has been waited for.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned long long descriptor(const void *p) {
    unsigned long long at = static_cast<unsigned>(__cvta_generic_to_shared(p));
    return (at & 0x3ffff) >> 4 | (128ull >> 4) << 16 | (256ull >> 4) << 32;
}
extern "C" __global__ void wgmma_pipeline(const uint4 *in, float *out, int rounds) {
    __shared__ __align__(1024) uint4 a[2][128], b[2][16];
    float d[4] = {};
    int t = threadIdx.x;
    for (int round = 0; round < rounds; round++) {
        int s = round % 2;
        a[s][t] = in[t];
        if (t < 16) b[s][t] = in[128 + t];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) :: "memory");
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a[s])), "l"(descriptor(b[s])));
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) :: "memory");
        __syncthreads();
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) :: "memory");
    for (int i = 0; i < 4; i++) out[4 * t + i] = d[i];
}
