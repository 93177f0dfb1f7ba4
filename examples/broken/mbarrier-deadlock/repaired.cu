// Repaired: the mbarrier expects as many arrivals as there are threads.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void mbarrier_deadlock(int *out) {
    __shared__ alignas(8) unsigned long long barrier;
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(address) : "memory");
    __syncthreads();
    [[maybe_unused]] unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}" : "=r"(done) : "r"(address) : "memory");
    }
    out[threadIdx.x] = 1;
}
