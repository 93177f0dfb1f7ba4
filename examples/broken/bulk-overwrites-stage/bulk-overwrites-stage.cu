// Broken: the producer refills the tile while the consumers may still read it.
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
extern "C" __global__ void bulk_overwrites_stage(const int *in, int *out) {
    __shared__ __align__(128) int tile[64];
    __shared__ __align__(8) unsigned long long full;
    int t = threadIdx.x;
    if (t == 0) init(place(&full), 1);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        if (t == 0) {
            expect(place(&full), 256);
            load(place(tile), in + 64 * round, 256, place(&full));
        }
        wait(place(&full), round & 1);
        sum += tile[63 - t];
        // __syncthreads() belongs here
    }
    out[t] = sum;
}
