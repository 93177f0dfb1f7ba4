// Repaired: one lane sends it.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
extern "C" __global__ void __cluster_dims__(2) same_value_async_stores(int *out) {
    __shared__ int flag;
    __shared__ unsigned long long barrier;
    const int senders = 1;
    int t = threadIdx.x;
    unsigned rank, there, object;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" :: "r"(place(&barrier)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(place(&barrier)), "r"(4 * senders) : "memory");
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    asm volatile("mapa.shared::cluster.u32 %0, %2, %4;\nmapa.shared::cluster.u32 %1, %3, %4;" : "=r"(there), "=r"(object) : "r"(place(&flag)), "r"(place(&barrier)), "r"(rank ^ 1));
    if (t < senders) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" :: "r"(there), "r"(7), "r"(object) : "memory");
    }
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0; @!p bra WAIT; }" :: "r"(place(&barrier)) : "memory");
    if (t == 0) out[rank] = flag;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}
