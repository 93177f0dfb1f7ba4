// Broken: the CTA ends while a bulk store still reads its shared memory.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
extern "C" __global__ void bulk_store_not_awaited(const int *in, int *out) {
    __shared__ __align__(128) int tile[64];
    int t = threadIdx.x;
    tile[t] = 2 * in[t];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;\ncp.async.bulk.commit_group;" :: "l"(out), "r"(place(tile)) : "memory");
        // cp.async.bulk.wait_group.read belongs here
    }
}
