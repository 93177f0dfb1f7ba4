// Repaired: one thread initialises the mbarrier, a barrier stands behind.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void mbarrier_not_initialised(int *out) {
    __shared__ alignas(8) unsigned long long barrier;
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(address) : "memory");
    __syncthreads();
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
    out[threadIdx.x] = int(state);
}
