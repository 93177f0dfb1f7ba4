// A ticket lock: threads wait for their turn with acquire, pass it on with release.
// targets: compute_80
// flags: -lineinfo
#include <cuda/atomic>
extern "C" __global__ void ticket_lock(unsigned *tickets, unsigned *turn, int *log) {
    if (threadIdx.x % 32 != 0) return;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(*tickets), now(*turn);
    unsigned own = next.fetch_add(1, cuda::memory_order_relaxed);
    while (now.load(cuda::memory_order_acquire) != own) {}
    log[0] = log[0] * 3 + own;
    now.store(own + 1, cuda::memory_order_release);
}
