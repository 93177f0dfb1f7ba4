// Repaired: the copy is waited for before the barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void copy_read_before_wait(const float4 *in, float *out) {
    __shared__ float4 tile[32];
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(in + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x].x;
}
