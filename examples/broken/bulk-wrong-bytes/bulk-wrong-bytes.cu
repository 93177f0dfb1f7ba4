// Broken: the arrival expects 512 bytes, the copy brings 256.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}
__device__ static void init(unsigned barrier, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" :: "r"(barrier), "r"(count) : "memory");
}
__device__ static void expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(barrier), "r"(bytes) : "memory");
}
__device__ static void load(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}
extern "C" __global__ void bulk_wrong_bytes(const int *in, int *out) {
    __shared__ __align__(128) int tile[64];
    __shared__ __align__(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) init(place(&full), 1);
    __syncthreads();
    if (t == 0) {
        expect(place(&full), 512);
        load(place(tile), in, 256, place(&full));
    }
    wait(place(&full), 0);
    out[t] = tile[63 - t];
}
