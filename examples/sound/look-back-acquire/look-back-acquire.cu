// The same hand-over with st.release and ld.acquire of one 64-bit word: value and state together need no fence.
// targets: compute_80
// flags: -lineinfo
#include <cuda/atomic>
extern "C" __global__ void look_back_acquire(unsigned long long *states, int *payload, int *out) {
    int block = blockIdx.x;
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> own(states[block]);
        payload[block] = block * 5;
        int sum = 0;
        if (block > 0) {
            cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> last(states[block - 1]);
            unsigned long long seen;
            while ((seen = last.load(cuda::memory_order_acquire)) == 0) {}
            sum = int(seen) + payload[block - 1];
        }
        own.store((1ull << 32) + sum, cuda::memory_order_release);
        out[block] = sum;
    }
}
