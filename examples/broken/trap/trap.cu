// Broken: the kernel stops itself with a trap when it meets a bad code.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void trap(const int *codes, int *out) {
    int code = codes[threadIdx.x];
    if (code < 1) __trap();
    out[threadIdx.x] = code;
}
