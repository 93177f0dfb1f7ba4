// Repaired: the array is set to zero.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void uninitialised_local(const int *in, int *out, int filled, int read) {
    int values[16] = {};
    for (int i = 0; i < filled; i++) values[in[i]] = i + threadIdx.x;
    int sum = 0;
    for (int i = 0; i < read; i++) sum += values[i];
    out[threadIdx.x] = sum;
}
