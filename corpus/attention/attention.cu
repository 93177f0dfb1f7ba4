// Attention in the manner of flash attention: one warp owns sixteen queries of 32 numbers and walks over the keys in tiles of
// sixteen; scores by mma, an online softmax over the accumulator fragment, which becomes the A operand of the second mma.
// targets: compute_80 compute_90a compute_120a
// flags: -lineinfo
#include <cmath>
#include <cuda_fp16.h>

constexpr unsigned ALL_LANES = 0xffffffff;
constexpr int DEPTH = 32, KEYS = 16, PITCH = DEPTH + 8;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ __forceinline__ void load_matrices(unsigned (&r)[4], const __half *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)));
}

static __device__ __forceinline__ void load_transposed(unsigned (&r)[4], const __half *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)));
}

static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ __forceinline__ unsigned pack(float low, float high) {
    __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<unsigned *>(&pair);
}

extern "C" __global__ void attention(const __half *queries, const __half *keys, const __half *values, float *out, int count, float scale) {
    __shared__ alignas(16) __half tile[2][KEYS][PITCH];   // keys, values
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const __half *own = queries + (blockIdx.x * 16 + g) * DEPTH + t * 2;
    unsigned query[2][4];
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < 4; i++) query[step][i] = *reinterpret_cast<const unsigned *>(own + i % 2 * 8 * DEPTH + step * 16 + i / 2 * 8);
    }
    float sums[4][4] = {}, highest[2] = {-INFINITY, -INFINITY}, total[2] = {};
    for (int first = 0; first < count; first += KEYS) {
        __syncwarp();
        for (int chunk = lane; chunk < KEYS * DEPTH / 8; chunk += 32) {
            int row = chunk / (DEPTH / 8), column = chunk % (DEPTH / 8) * 8;
            *reinterpret_cast<uint4 *>(&tile[0][row][column]) = *reinterpret_cast<const uint4 *>(keys + (first + row) * DEPTH + column);
            *reinterpret_cast<uint4 *>(&tile[1][row][column]) = *reinterpret_cast<const uint4 *>(values + (first + row) * DEPTH + column);
        }
        __syncwarp();
        float scores[2][4] = {};
        for (int step = 0; step < 2; step++) {
            unsigned key[4];
            load_matrices(key, &tile[0][lane / 16 * 8 + lane % 8][step * 16 + lane / 8 % 2 * 8]);
            multiply(scores[0], query[step], key[0], key[1]);
            multiply(scores[1], query[step], key[2], key[3]);
        }
        unsigned weights[4];
        for (int half = 0; half < 2; half++) {   // rows g and g + 8
            float (&a)[4] = scores[0], (&b)[4] = scores[1];
            float top = fmaxf(fmaxf(a[half * 2], a[half * 2 + 1]), fmaxf(b[half * 2], b[half * 2 + 1])) * scale;
            top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 1));
            top = fmaxf(top, __shfl_xor_sync(ALL_LANES, top, 2));
            float before = highest[half];
            highest[half] = fmaxf(before, top);
            float shrink = exp2f(before - highest[half]), sum = 0;
            for (int i = 0; i < 2; i++) {
                a[half * 2 + i] = exp2f(fmaf(a[half * 2 + i], scale, -highest[half]));
                b[half * 2 + i] = exp2f(fmaf(b[half * 2 + i], scale, -highest[half]));
                sum += a[half * 2 + i] + b[half * 2 + i];
            }
            total[half] = fmaf(total[half], shrink, sum);
            for (int j = 0; j < 4; j++) {
                sums[j][half * 2] *= shrink;
                sums[j][half * 2 + 1] *= shrink;
            }
            weights[half] = pack(a[half * 2], a[half * 2 + 1]);
            weights[half + 2] = pack(b[half * 2], b[half * 2 + 1]);
        }
        for (int j = 0; j < 2; j++) {   // sixteen columns of the values at a time
            unsigned value[4];
            load_transposed(value, &tile[1][lane % 16][j * 16 + lane / 16 * 8]);
            multiply(sums[j * 2], weights, value[0], value[1]);
            multiply(sums[j * 2 + 1], weights, value[2], value[3]);
        }
    }
    for (int half = 0; half < 2; half++) {
        total[half] += __shfl_xor_sync(ALL_LANES, total[half], 1);
        total[half] += __shfl_xor_sync(ALL_LANES, total[half], 2);
        for (int j = 0; j < 4; j++) {
            float *place = out + (blockIdx.x * 16 + g + half * 8) * DEPTH + j * 8 + t * 2;
            place[0] = sums[j][half * 2] / total[half];
            place[1] = sums[j][half * 2 + 1] / total[half];
        }
    }
}
