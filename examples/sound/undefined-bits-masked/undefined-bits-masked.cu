// A register with one defined byte is masked before anything depends on it; bits nobody wrote are shifted out.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void undefined_bits_masked(int *out) {
    unsigned word;
    asm volatile("{ .reg .b32 never; bfi.b32 %0, %1, never, 0, 8; }" : "=r"(word) : "r"(threadIdx.x));
    unsigned low = word & 0xff, high = (word << 24) >> 24;
    out[threadIdx.x] = low == high ? low : ~0u;
}
