// The shapes of Turing's tensor cores, which later chips still execute: m16n8k8 f16 with f16 and f32 sums, m8n8k16 s8, m8n8k32 u4.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <cuda_fp16.h>

extern "C" __global__ void mma_turing(const unsigned *halves, const unsigned *bytes, float *wide, __half2 *narrow, int *integers) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    // f16: A is 16 x 8 by rows, then B 8 x 8 by columns: four words a row
    unsigned a0 = halves[g * 4 + t], a1 = halves[(g + 8) * 4 + t], b = halves[(16 + g) * 4 + t];
    float sums[4] = {1, 2, 3, 4};
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]) : "r"(a0), "r"(a1), "r"(b));
    for (int i = 0; i < 4; i++) wide[(g + i / 2 * 8) * 8 + t * 2 + i % 2] = sums[i];
    unsigned packed[2] = {0x3c003c00, 0xbc00bc00};   // 1 and -1
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};" : "+r"(packed[0]), "+r"(packed[1]) : "r"(a0), "r"(a1), "r"(b));
    for (int i = 0; i < 2; i++) narrow[(g + i * 8) * 4 + t] = *reinterpret_cast<__half2 *>(&packed[i]);
    // integers: eight rows of four words of A, then eight columns of B
    unsigned a = bytes[g * 4 + t];
    b = bytes[(8 + g) * 4 + t];
    int s8[2] = {5, 6}, u4[2] = {};
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(s8[0]), "+r"(s8[1]) : "r"(a), "r"(b));
    asm("mma.sync.aligned.m8n8k32.row.col.satfinite.s32.u4.u4.s32 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+r"(u4[0]), "+r"(u4[1]) : "r"(a), "r"(b));
    for (int i = 0; i < 2; i++) {
        integers[g * 8 + t * 2 + i] = s8[i];
        integers[64 + g * 8 + t * 2 + i] = u4[i];
    }
}
