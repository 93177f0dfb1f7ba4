// Sound: loops of compare-and-swap begin with a plain load, as the CUDA programming guide writes them. What the
// load gives is stored only where memory still holds it.
// targets: compute_80
// flags: -lineinfo
#include <cuda_bf16.h>

__device__ static double add(double *place, double value) {
    auto *bits = reinterpret_cast<unsigned long long *>(place);
    unsigned long long old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}

__device__ static float maximum(float *place, float value) {
    int *bits = reinterpret_cast<int *>(place);
    int old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __float_as_int(fmaxf(value, __int_as_float(seen))));
    } while (seen != old);
    return __int_as_float(old);
}

extern "C" __global__ void compare_and_swap_loop(double *sum, __nv_bfloat162 *pair, float *most) {
    __shared__ float block;
    if (threadIdx.x == 0) block = 0;
    __syncthreads();
    add(sum, threadIdx.x);
    atomicAdd(pair, __floats2bfloat162_rn(1, 2));  // before sm_90 such a loop, in cuda_bf16.hpp
    maximum(&block, threadIdx.x % 40);
    __syncthreads();
    if (threadIdx.x == 0) most[blockIdx.x] = block;
}
