// The sum of 256 floats by one CTA, halving the number of adding threads each time.
extern "C" __global__ void block_sum(const float *x, float *sum) {
    __shared__ float partial[256];
    partial[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            partial[threadIdx.x] += partial[threadIdx.x + half];
        }
#ifndef RACING
        __syncthreads();
#endif
    }
    if (threadIdx.x == 0) {
        *sum = partial[0];
    }
}
