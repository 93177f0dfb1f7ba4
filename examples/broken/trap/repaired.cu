// Repaired: a bad code gives no result.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void trap(const int *codes, int *out) {
    int code = codes[threadIdx.x];
    if (code < 0) __trap();
    out[threadIdx.x] = code;
}
