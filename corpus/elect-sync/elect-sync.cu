// elect.sync on every kind of mask: exactly one lane of those named is told so, and all learn the same number. Elected lanes order
// bulk copies; the rest of the warp goes on.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

extern "C" __global__ void elect_sync(const unsigned *masks, unsigned *out, const Word *in, Word *copied, int count) {
    __shared__ alignas(128) Word words[4][64];
    __shared__ Barrier full;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        initialise(&full, 4);
        publish_barriers();
    }
    __syncthreads();
    for (int i = warp; i < count; i += 4) {
        unsigned mask = masks[i], leader = 99, elected = 0;
        if (mask >> lane & 1) {
            asm volatile("{.reg .pred p; elect.sync %0|p, %2; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(elected) : "r"(mask));
            bool right = __match_any_sync(mask, leader) == mask && (mask >> leader & 1) && elected == (leader == lane);
            out[i * 32 + lane] = __popc(__ballot_sync(mask, elected)) * 2 + right;
        } else {
            out[i * 32 + lane] = 0;
        }
        __syncwarp();
    }
    unsigned elected;
    asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(elected));
    if (elected) {
        arrive_expecting(&full, sizeof words[warp]);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(shared_address(words[warp])), "l"(in + warp * 64), "n"(sizeof words[0]), "r"(shared_address(&full)) : "memory");
    }
    wait(&full, 0);
    copied[threadIdx.x] = words[3 - warp][lane] + words[3 - warp][lane + 32];
}
