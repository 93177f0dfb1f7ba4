// Attention on Hopper: S = Q K^T by wgmma, a running softmax in registers, P rounded to f16 as the left operand in registers of the
// second product, V read across (its rows lie along k). Keys and values come by TMA, two stages of each.
// targets: compute_90a
// flags: -lineinfo
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int WIDTH = 64, KEYS = 64, STAGES = 2;
constexpr int TILE_BYTES = KEYS * WIDTH * 2;

static __device__ __forceinline__ void scores(float (&d)[32], unsigned long long q, unsigned long long k, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %34, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32 ", %32, %33, p, 1, 1, 0, 0;}"
                 : THIRTY_TWO("+f", d) : "l"(q), "l"(k), "r"(add));
}

static __device__ __forceinline__ void weigh(float (&d)[32], const Word (&p)[4], unsigned long long v) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32 ", {%32,%33,%34,%35}, %36, p, 1, 1, 1;}"
                 : THIRTY_TWO("+f", d) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}

static __device__ __forceinline__ float power_of_two(float x) {
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

static __device__ __forceinline__ Word pair(float low, float high) {
    __half2 both = __floats2half2_rn(low, high);
    return *reinterpret_cast<Word *>(&both);
}

/// Over the four lanes that share a row.
template <typename Combine>
static __device__ __forceinline__ float across_row(float value, Combine combine) {
    value = combine(value, __shfl_xor_sync(~0u, value, 1));
    return combine(value, __shfl_xor_sync(~0u, value, 2));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_attention(const __grid_constant__ CUtensorMap map_q, const __grid_constant__ CUtensorMap map_k, const __grid_constant__ CUtensorMap map_v, float *out,
                    int keys, float scale) {
    __shared__ alignas(1024) __half q[64 * WIDTH];
    __shared__ alignas(1024) __half k[STAGES][KEYS * WIDTH];
    __shared__ alignas(1024) __half v[STAGES][KEYS * WIDTH];
    __shared__ Barrier full[STAGES];
    int tiles = keys / KEYS;
    auto load = [&](int tile) {
        int stage = tile % STAGES;
        arrive_expecting(&full[stage], (tile == 0 ? 3 : 2) * TILE_BYTES);
        if (tile == 0) load_tile(q, &map_q, 0, blockIdx.x * 64, &full[stage]);
        load_tile(k[stage], &map_k, 0, tile * KEYS, &full[stage]);
        load_tile(v[stage], &map_v, 0, tile * KEYS, &full[stage]);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) initialise(&full[stage], 1);
        publish_barriers();
        for (int tile = 0; tile < STAGES && tile < tiles; tile++) load(tile);
    }
    __syncthreads();
    float sums[32] = {}, largest[2] = {-1e30f, -1e30f}, total[2] = {};
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        wait(&full[stage], tile / STAGES & 1);
        float s[32];
        begin_group();
#pragma unroll
        for (int step = 0; step < WIDTH / 16; step++) {
            scores(s, descriptor<128>(shared_address(q) + step * 32), descriptor<128>(shared_address(k[stage]) + step * 32), step);
        }
        commit_group();
        wait_groups();
        float shrink[2];
        for (int half = 0; half < 2; half++) {
            float top = largest[half];
            for (int i = 0; i < 32; i++) if (i / 2 % 2 == half) top = fmaxf(top, s[i] * scale);
            top = across_row(top, [](float a, float b) { return fmaxf(a, b); });
            shrink[half] = power_of_two(largest[half] - top);
            largest[half] = top;
            total[half] *= shrink[half];
        }
        Word p[KEYS / 16][4];
        for (int i = 0; i < 32; i += 2) {
            int half = i / 2 % 2;
            float low = power_of_two(s[i] * scale - largest[half]), high = power_of_two(s[i + 1] * scale - largest[half]);
            total[half] += low + high;
            p[i / 8][i / 2 % 4] = pair(low, high);
        }
        for (int i = 0; i < 32; i++) sums[i] *= shrink[i / 2 % 2];
        begin_group();
#pragma unroll
        for (int step = 0; step < KEYS / 16; step++) weigh(sums, p[step], descriptor<128>(shared_address(v[stage]) + step * 16 * 128));
        commit_group();
        wait_groups();
        __syncthreads();
        if (threadIdx.x == 0 && tile + STAGES < tiles) load(tile + STAGES);
    }
    for (float &sum : total) sum = across_row(sum, [](float a, float b) { return a + b; });
    for (int i = 0; i < 32; i++) out[(blockIdx.x * 64 + row_of(i)) * WIDTH + column_of(i)] = __fdividef(sums[i], total[i / 2 % 2]);
}
