// Repaired: the mbarrier stands behind the tile.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern __shared__ __align__(128) char dynamic[];
extern "C" __global__ void mbarrier_under_copy(const int *in, int *out) {
    int *tile = reinterpret_cast<int *>(dynamic);
    unsigned barrier = place(dynamic + 64 * sizeof(int));
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(barrier) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" :: "r"(barrier) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];"
                     :: "r"(place(tile)), "l"(in), "r"(barrier) : "memory");
    }
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra AGAIN; }" :: "r"(barrier) : "memory");
    out[t] = tile[t];
}
