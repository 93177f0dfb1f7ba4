// A load of the tile after the last one, whose value nobody uses, is in no order with the reduction that reuses its memory: as in
// Marlin. What it reads is anybody's guess, and nobody's business.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void dead_load_overwritten(const int *in, int *out, int tiles) {
    __shared__ int tile[2][128];
    int t = threadIdx.x, sum = 0, next = 0;
    tile[0][t] = in[t];
    tile[1][t] = in[128 + t];
    __syncthreads();
    unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(&tile[0][127 - t]));
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(next) : "r"(base));
    for (int i = 0; i < tiles; i++) {
        int now = next;
        __syncthreads();
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(next) : "r"(base + (i + 1) % 2 * 512));
        sum += now;
    }
    __syncwarp();
    tile[0][t] = sum;
    __syncthreads();
    out[t] = sum + tile[0][t ^ 64];
}
