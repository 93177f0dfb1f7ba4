// Broken: ordinary stores fill scratch in global memory, and a bulk copy of the same kernel reads it with no fence between the proxies.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
extern "C" __global__ void bulk_load_without_fence(int *scratch, int *out) {
    __shared__ __align__(128) int tile[64];
    __shared__ __align__(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" :: "r"(place(&full)) : "memory");
    scratch[t] = t * t;
    // fence.proxy.async.global belongs here
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(place(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                     :: "r"(place(tile)), "l"(scratch), "r"(place(&full)) : "memory");
    }
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra AGAIN; }" :: "r"(place(&full)) : "memory");
    out[t] = tile[63 - t];
}
