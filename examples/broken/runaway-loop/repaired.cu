// Repaired: the loop counts a signed number.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void runaway_loop(volatile unsigned *out) {
    for (int i = 31; i >= 0; i--) {
        if (i < 32) out[i] = i;
    }
}
