// Repaired: all lanes execute the product with one selector.
// targets: compute_80
// flags: -lineinfo
template <int SELECTOR>
static __device__ __forceinline__ void multiply(float (&d)[4], const uint4 &a, const uint4 &b, unsigned e) {
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w), "r"(e), "n"(SELECTOR));
}

// a and b hold the fragments of the 32 lanes
extern "C" __global__ void mma_differing_selectors(const uint4 *a, const uint4 *b, const unsigned *metadata, float4 *d) {
    int lane = threadIdx.x;
    float sums[4] = {};
    unsigned e = metadata[lane] | 0x44444444;
    multiply<0>(sums, a[lane], b[lane], e);
    d[lane] = make_float4(sums[0], sums[1], sums[2], sums[3]);
}
