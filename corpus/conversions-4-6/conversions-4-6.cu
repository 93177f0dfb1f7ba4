// Conversions of Blackwell: pairs of e2m1, e2m3 and e3m2 (to nearest, saturating, with and without relu) and of ue8m0 (toward zero
// and up) from f32, and back to pairs of f16 or bf16.
// targets: compute_120a
#include "../device/hopper.cuh"

constexpr int WORDS = 12;

#define NARROW4(i, RELU)                                                                                                            \
    asm("{.reg .b8 t; cvt.rn.satfinite" RELU ".e2m1x2.f32 t, %1, %2; cvt.u32.u8 %0, t;}" : "=r"(words[i]) : "f"(pair.x), "f"(pair.y))
#define NARROW(i, KIND)                                                                                                             \
    asm("{.reg .b16 t; cvt." KIND ".f32 t, %1, %2; cvt.u32.u16 %0, t;}" : "=r"(words[i]) : "f"(pair.x), "f"(pair.y))
#define WIDEN(i, KIND, from) asm("{.reg .b16 t; cvt.u16.u32 t, %1; cvt.rn." KIND " %0, t;}" : "=r"(words[i]) : "r"(words[from]))

extern "C" __global__ void conversions_4_6(const float2 *values, Word *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float2 pair = values[i];   // the first operand goes to the high half
    Word *words = out + i * WORDS;
    NARROW4(0, "");
    NARROW4(1, ".relu");
    NARROW(2, "rn.satfinite.e2m3x2");
    NARROW(3, "rn.satfinite.relu.e2m3x2");
    NARROW(4, "rn.satfinite.e3m2x2");
    NARROW(5, "rn.satfinite.relu.e3m2x2");
    NARROW(6, "rz.satfinite.ue8m0x2");
    NARROW(7, "rp.satfinite.ue8m0x2");
    asm("{.reg .b8 t; cvt.u8.u32 t, %1; cvt.rn.f16x2.e2m1x2 %0, t;}" : "=r"(words[8]) : "r"(words[0]));
    WIDEN(9, "f16x2.e2m3x2", 2);
    WIDEN(10, "f16x2.e3m2x2", 4);
    WIDEN(11, "bf16x2.ue8m0x2", 6);
}
