// Stands in for the host code of FlashAttention-3 (hopper/ of Dao-AILab/flash-attention), which
// needs PyTorch: launches one forward kernel and compares with sums in double. Options: -DDIM=128,
// -DCAUSAL=true. Arguments: queries and keys.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "flash_fwd_launch_template.h"

void prepare_varlen_num_blocks(Flash_fwd_params &, cudaStream_t, bool, int, int, bool) { abort(); }

#ifndef DIM
#define DIM 64
#endif
#ifndef CAUSAL
#define CAUSAL false
#endif
#ifndef CLUSTER
#define CLUSTER 1
#endif
using Half = cutlass::half_t;

template <typename T> T *toDevice(const std::vector<T> &values) {
    T *at;
    if (cudaMalloc(&at, values.size() * sizeof(T)) != cudaSuccess) exit(2);
    cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return at;
}

static std::vector<Half> randoms(size_t n, int seed) {
    std::mt19937 random(seed);
    std::vector<Half> values(n);
    for (auto &v : values) v = Half(float(int(random() % 2001) - 1000) / 500.f);
    return values;
}

int main(int argc, char **argv) {
    int batches = 1, queries = argc > 1 ? atoi(argv[1]) : 320, keys = argc > 2 ? atoi(argv[2]) : 300;
    int heads = 2, kvHeads = 1, d = DIM;
    auto q = randoms(size_t(batches) * queries * heads * d, 1);
    auto k = randoms(size_t(batches) * keys * kvHeads * d, 2);
    auto v = randoms(size_t(batches) * keys * kvHeads * d, 3);
    Flash_fwd_params p = {};
    p.q_ptr = toDevice(q);
    p.k_ptr = toDevice(k);
    p.v_ptr = toDevice(v);
    std::vector<Half> o(q.size());
    std::vector<float> lse(size_t(batches) * heads * queries);
    Half *oAt = toDevice(o);
    float *lseAt = toDevice(lse);
    std::vector<int> zero(64);
    p.tile_count_semaphore = toDevice(zero);
    p.o_ptr = oAt;
    p.softmax_lse_ptr = lseAt;
    p.q_row_stride = p.o_row_stride = heads * d;
    p.k_row_stride = p.v_row_stride = kvHeads * d;
    p.q_head_stride = p.o_head_stride = p.k_head_stride = p.v_head_stride = d;
    p.q_batch_stride = p.o_batch_stride = int64_t(queries) * heads * d;
    p.k_batch_stride = p.v_batch_stride = int64_t(keys) * kvHeads * d;
    p.v_dim_stride = 1;
    p.b = p.b_k = batches;
    p.h = heads;
    p.h_k = kvHeads;
    p.seqlen_q = queries;
    p.seqlen_k = keys;
    p.d = p.dv = p.d_rounded = p.dv_rounded = d;
    p.scale_softmax = 1.f / std::sqrt(float(d));
    p.is_causal = CAUSAL;
    p.window_size_left = keys - 1;
    p.window_size_right = CAUSAL ? 0 : queries - 1;
    p.num_splits = 1;
    p.page_size = 1;
    p.arch = 90;
    p.num_sm = 4;
    run_flash_fwd<90, DIM, DIM, CLUSTER, Half, Half, CAUSAL, false, false, false, false, false, false, false, false, false>(p, 0);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("error: %s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(o.data(), oAt, o.size() * 2, cudaMemcpyDeviceToHost);
    cudaMemcpy(lse.data(), lseAt, lse.size() * 4, cudaMemcpyDeviceToHost);
    double worst = 0, worstLse = 0;
    std::vector<double> s(keys);
    for (int b = 0; b < batches; b++)
        for (int h = 0; h < heads; h++)
            for (int i = 0; i < queries; i++) {
                int hk = h / (heads / kvHeads);
                int seen = CAUSAL ? std::max(0, std::min(keys, i + 1 + keys - queries)) : keys;
                double most = -INFINITY, sum = 0;
                for (int j = 0; j < seen; j++) {
                    s[j] = 0;
                    for (int e = 0; e < d; e++)
                        s[j] += double(float(q[((size_t(b) * queries + i) * heads + h) * d + e])) *
                                double(float(k[((size_t(b) * keys + j) * kvHeads + hk) * d + e]));
                    s[j] *= p.scale_softmax;
                    most = std::max(most, s[j]);
                }
                for (int j = 0; j < seen; j++) sum += s[j] = std::exp(s[j] - most);
                for (int e = 0; e < d; e++) {
                    double right = 0;
                    for (int j = 0; j < seen; j++)
                        right += s[j] * double(float(v[((size_t(b) * keys + j) * kvHeads + hk) * d + e]));
                    if (seen) right /= sum;
                    worst = std::max(worst, std::abs(right - double(float(o[((size_t(b) * queries + i) * heads + h) * d + e]))));
                }
                if (seen) worstLse = std::max(worstLse, std::abs(most + std::log(sum) - lse[(size_t(b) * heads + h) * queries + i]));
            }
    printf("largest error %.2e, of the logarithms %.2e: %s\n", worst, worstLse, worst < 4e-3 && worstLse < 1e-4 ? "passed" : "FAILED");
    return worst < 4e-3 && worstLse < 1e-4 ? 0 : 1;
}
