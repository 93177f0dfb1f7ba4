// Both sides of a choice are computed, one from a value that nobody wrote; the other is taken.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void select_of_undefined(const int *in, int *out) {
    int loaded, chosen;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 40;\n@p ld.global.b32 %0, [%2]; }"
                 : "=r"(loaded) : "r"(threadIdx.x), "l"(in + threadIdx.x));
    int scaled = loaded * 3 + 1;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %3, 40;\nselp.b32 %0, %1, %2, p; }"
                 : "=r"(chosen) : "r"(scaled), "r"(-1), "r"(threadIdx.x));
    out[threadIdx.x] = chosen;
}
