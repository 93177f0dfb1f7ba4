// Repaired: a value of zero is looked for before the assertion.
// targets: compute_80
// flags: -lineinfo
#include <cassert>

extern "C" __global__ void assertion(const int *in, int *out) {
    int value = in[threadIdx.x];
    if (value == 0) value = 1;
    assert(value != 0);
    out[threadIdx.x] = 1000 / value;
}
