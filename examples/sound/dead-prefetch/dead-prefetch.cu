// The last round of a software pipeline loads the fragments of a tile that was never filled; nobody uses them.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void dead_prefetch(const int4 *in, int *out, int tiles) {
    __shared__ __align__(128) int4 stage[3][32];
    auto matrix = [&](int tile, unsigned (&f)[4]) {
        unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&stage[tile % 3][threadIdx.x]));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3]) : "r"(place));
    };
    for (int tile = 0; tile < tiles; tile++) stage[tile % 3][threadIdx.x] = in[tile * 32 + threadIdx.x];
    __syncwarp();
    unsigned now[4], next[4], sum = 0;
    matrix(0, now);
    for (int tile = 0; tile < tiles; tile++) {
        matrix(tile + 1, next);
        for (int i = 0; i < 4; i++) sum += now[i], now[i] = next[i];
    }
    out[threadIdx.x] = sum;
}
