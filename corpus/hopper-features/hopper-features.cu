// What sm_90 brought beside wgmma: a bulk copy that an mbarrier counts, stmatrix, elect.sync, setmaxnreg, dependent grids, and a
// bulk copy back.
// targets: compute_90a
// flags: -lineinfo
static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

extern "C" __global__ void __maxnreg__(96) hopper_features(const unsigned *words, unsigned *out) {
    __shared__ alignas(128) unsigned in[256];
    __shared__ alignas(128) unsigned matrices[128];
    __shared__ alignas(8) unsigned long long barrier;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("setmaxnreg.dec.sync.aligned.u32 64;");
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned elected;
        asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(elected));
        if (elected) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(shared_address(&barrier)) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                         ::"r"(shared_address(in)), "l"(words + blockIdx.x * 256), "r"(shared_address(&barrier)) : "memory");
        }
    }
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(&barrier)) : "memory");
    }
    unsigned low = in[threadIdx.x], high = in[threadIdx.x + 128];
    if (threadIdx.x < 32) {
        unsigned a = in[threadIdx.x], b = in[threadIdx.x + 32], c = in[threadIdx.x + 64], d = in[threadIdx.x + 96];
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};"
                     ::"r"(shared_address(&matrices[threadIdx.x * 4])), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
    }
    __syncthreads();
    in[threadIdx.x] = matrices[threadIdx.x] ^ high;
    in[threadIdx.x + 128] = low + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out + blockIdx.x * 256), "r"(shared_address(in)) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    asm volatile("griddepcontrol.launch_dependents;");
}
