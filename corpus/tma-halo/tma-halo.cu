// A stencil of seven points over a volume: planes with a border come by TMA, which fills what lies outside with zero, three
// planes in a ring while the next is on its way; results leave by TMA, which leaves out what lies outside.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int WIDTH = 24, HEIGHT = 14, BORDER = 4, IN_WIDTH = WIDTH + 2 * BORDER, IN_HEIGHT = HEIGHT + 2;
constexpr int PLANES = 4;   // a box begins at a multiple of 16 bytes

extern "C" __global__ void __launch_bounds__(128)
    tma_halo(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out, int depth) {
    __shared__ alignas(128) float planes[PLANES][IN_HEIGHT * IN_WIDTH];
    __shared__ alignas(128) float results[HEIGHT * WIDTH];
    __shared__ Barrier full[PLANES];
    int x = blockIdx.x * WIDTH, y = blockIdx.y * HEIGHT;
    auto load = [&](int z) {
        Barrier *barrier = &full[(z + 1) % PLANES];
        arrive_expecting(barrier, sizeof planes[0]);
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                     ::"r"(shared_address(planes[(z + 1) % PLANES])), "l"(&in), "r"(x - BORDER), "r"(y - 1), "r"(z), "r"(shared_address(barrier)) : "memory");
    };
    if (threadIdx.x == 0) {
        for (Barrier &barrier : full) initialise(&barrier, 1);
        publish_barriers();
        for (int z = -1; z < 2; z++) load(z);
    }
    __syncthreads();
    wait(&full[0], 0);
    wait(&full[1], 0);
    for (int z = 0; z < depth; z++) {
        if (threadIdx.x == 0 && z + 2 <= depth) load(z + 2);
        wait(&full[(z + 2) % PLANES], (z + 2) / PLANES & 1);
        const float *below = planes[z % PLANES], *here = planes[(z + 1) % PLANES], *above = planes[(z + 2) % PLANES];
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        __syncthreads();
        for (int i = threadIdx.x; i < HEIGHT * WIDTH; i += blockDim.x) {
            int at = (i / WIDTH + 1) * IN_WIDTH + i % WIDTH + BORDER;
            float sum = below[at] + above[at] + here[at - 1] + here[at + 1] + here[at - IN_WIDTH] + here[at + IN_WIDTH];
            results[i] = __fmaf_rn(-6.0f, here[at], sum);
        }
        async_proxy_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];"
                         ::"l"(&out), "r"(x), "r"(y), "r"(z), "r"(shared_address(results)) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
