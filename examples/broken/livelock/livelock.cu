// Broken: two states follow each other for ever: the loop cannot end.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void livelock(int *out, int n) {
    volatile int never = 0;
    int i = 0;
    asm volatile("{ .reg .pred p;\nAGAIN: xor.b32 %0, %0, 1;\nsetp.lt.s32 p, %0, %1;\n@p bra AGAIN; }" : "+r"(i) : "r"(n));
    out[threadIdx.x] = i + never;
}
