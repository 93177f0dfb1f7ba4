// Broken: the loop counts down past zero in an unsigned number and never ends.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void runaway_loop(volatile unsigned *out) {
    for (unsigned i = 31; i >= 0; i--) {
        if (i < 32) out[i] = i;
    }
}
