// Every atomic operation on every type it has, in global and shared memory, at block, device and system scope.
// targets: compute_80 compute_90a compute_120a
#include <cuda_fp16.h>

extern "C" __global__ void atomics(const int *values, int *integers, unsigned long long *wide, float *reals, double *doubles, __half2 *halves) {
    __shared__ int block_sum;
    __shared__ unsigned long long block_highest;
    int thread = blockIdx.x * blockDim.x + threadIdx.x, value = values[thread];
    if (threadIdx.x == 0) {
        block_sum = 0;
        block_highest = 0;
    }
    __syncthreads();
    atomicAdd(&integers[0], value);
    atomicSub(&integers[1], value);
    atomicMin(&integers[2], value);
    atomicMax(&integers[3], value);
    atomicMin(reinterpret_cast<unsigned *>(&integers[4]), unsigned(value));
    atomicMax(reinterpret_cast<unsigned *>(&integers[5]), unsigned(value));
    atomicAnd(&integers[6], value | 0xff00);
    atomicOr(&integers[7], value & 0xf0f0);
    atomicXor(&integers[8], value * 77);
    atomicInc(reinterpret_cast<unsigned *>(&integers[9]), 100u);
    atomicDec(reinterpret_cast<unsigned *>(&integers[10]), 60u);
    atomicAdd_system(&integers[11], 3);
    if (atomicExch(&integers[12], 1) == 0) atomicAdd(&integers[13], 1);   // exactly one comes first
    atomicAdd(&wide[0], (unsigned long long)((long long)value));
    atomicMax(&wide[1], (unsigned long long)value & 0xffff);
    atomicMin(reinterpret_cast<long long *>(&wide[2]), (long long)value << 20);
    atomicXor(&wide[3], (unsigned long long)value * 0x100000001ull);
    atomicOr_block(&wide[4 + blockIdx.x], 1ull << (value & 63));
    atomicAdd(&reals[0], float(value));
    atomicAdd(&doubles[0], value * 0.25);
    atomicAdd(halves, __floats2half2_rn(1.0f, float(value & 3)));
    atomicAdd_block(&block_sum, value);
    atomicMax(&block_highest, (unsigned long long)(value & 0xfff) << 32 | threadIdx.x);
    unsigned short *half_words = reinterpret_cast<unsigned short *>(&integers[14]);
    unsigned short seen = 0, expected;   // the first comparison tells what really stands there
    do {
        expected = seen;
        seen = atomicCAS(&half_words[1], expected, (unsigned short)(expected + 5));
    } while (seen != expected);
    __syncthreads();
    if (threadIdx.x == 0) {
        integers[16 + blockIdx.x] = block_sum;
        wide[8 + blockIdx.x] = block_highest;
    }
}
