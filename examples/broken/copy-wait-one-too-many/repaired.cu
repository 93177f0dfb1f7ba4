// Repaired: a round without a copy commits an empty group.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void copy_wait_one_too_many(const float4 *in, float *out, int tiles) {
    __shared__ float4 stage[2][32];
    auto load = [&](int tile) {
        unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&stage[tile % 2][threadIdx.x]));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(in + tile * 32 + threadIdx.x) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    float sum = 0;
    load(0);
    for (int tile = 0; tile < tiles; tile++) {
        if (tile + 1 < tiles) load(tile + 1);
        else asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        sum += stage[tile % 2][31 - threadIdx.x].y;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
