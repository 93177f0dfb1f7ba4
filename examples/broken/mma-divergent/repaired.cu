// Repaired: the warp votes whether the tile is empty.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void mma_divergent(const uint4 *a, const uint2 *b, const float *in, float4 *d) {
    int lane = threadIdx.x;
    float s[4] = {};
    uint4 x = a[lane];
    uint2 y = b[lane];
    if (__any_sync(~0u, in[lane] >= 0.0f)) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                     : "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w), "r"(y.x), "r"(y.y));
    }
    d[lane] = make_float4(s[0], s[1], s[2], s[3]);
}
