// Dynamic shared memory whose size comes with the launch, cut into three arrays of different types.
// targets: compute_75 compute_80 compute_90a compute_120a
extern __shared__ __align__(16) unsigned char pool[];

extern "C" __global__ void dynamic_shared(const float *keys, double *sums, int *ranks, int count) {
    auto *squares = reinterpret_cast<double *>(pool);
    auto *own = reinterpret_cast<float *>(squares + count);
    auto *flags = reinterpret_cast<unsigned char *>(own + count);
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        own[i] = keys[i];
        squares[i] = double(keys[i]) * keys[i];
        flags[i] = keys[i] > 0;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int rank = 0;
        double sum = 0;
        for (int k = 0; k < count; k++) {
            rank += own[k] < own[i] || (own[k] == own[i] && k < i);
            if (flags[k]) sum += squares[(k + i) % count];
        }
        ranks[i] = rank;
        sums[i] = sum;
    }
}
