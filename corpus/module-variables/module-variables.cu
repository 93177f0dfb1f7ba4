// Variables of the module with initialisers: numbers, arrays, structs with padding, and pointers to other variables.
// targets: compute_75 compute_80 compute_90a compute_120a
__device__ int counter = 40;
__device__ unsigned long long big = 0x0123456789abcdefULL;
__device__ float factors[4] = {1.5f, -2.25f, 1e-3f, 3.4e38f};
__device__ double tiny = 4.9406564584124654e-324;
__device__ short table[2][3] = {{1, -2, 3}, {-4, 5, -6}};
struct Entry {
    char tag;
    double value;
    unsigned short code;
};
__device__ Entry entries[2] = {{'a', 0.1, 65535}, {'z', -7.25, 258}};
__device__ int *where = &counter;
__device__ const float *second_factor = &factors[1];
__device__ int untouched[3];

extern "C" __global__ void module_variables(double *out, int *total) {
    int i = threadIdx.x;
    int before = atomicAdd(where, i);
    atomicAdd(total, before - before + table[i % 2][i % 3] + entries[i % 2].code + entries[i % 2].tag + untouched[i % 3]);
    __syncthreads();
    if (i == 0) {
        out[0] = *reinterpret_cast<volatile int *>(where);
        out[1] = double(big);
        out[2] = *second_factor + factors[0];
        out[3] = factors[2];
        out[4] = factors[3];
        out[5] = tiny;
        out[6] = entries[0].value + entries[1].value;
        big += 1;
        out[7] = double(big & 0xffff);
    }
}
