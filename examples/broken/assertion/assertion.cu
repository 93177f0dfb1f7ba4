// Broken: an assertion of the kernel does not hold.
// targets: compute_80
// flags: -lineinfo
#include <cassert>

extern "C" __global__ void assertion(const int *in, int *out) {
    int value = in[threadIdx.x];
    assert(value != 0);
    out[threadIdx.x] = 1000 / value;
}
