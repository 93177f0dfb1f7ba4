// Four lanes load what a shuffle of all 32 exchanges: the junk of the others is thrown away, as in Triton's reductions.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void junk_lanes(const int *in, int *out) {
    __shared__ int partial[4];
    int lane = threadIdx.x % 32, sum = in[threadIdx.x] + threadIdx.x;
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(partial + threadIdx.x));
    int own;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4;\n@p ld.shared.b32 %0, [%2]; }" : "=r"(own) : "r"(threadIdx.x), "r"(place));
    own += __shfl_xor_sync(~0u, own, 2);
    own += __shfl_xor_sync(~0u, own, 1);
    if (threadIdx.x == 0) out[0] = own;
}
