// Powers of 8 x 8 matrices modulo a prime by repeated squaring, one matrix a block, 64-bit products.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int SIZE = 8;
constexpr unsigned long long PRIME = 4294967291ULL;

static __device__ unsigned entry_of_product(const unsigned (&a)[SIZE][SIZE], const unsigned (&b)[SIZE][SIZE]) {
    unsigned long long sum = 0;
    for (int k = 0; k < SIZE; k++) sum = (sum + (unsigned long long)a[threadIdx.y][k] * b[k][threadIdx.x] % PRIME) % PRIME;
    return unsigned(sum);
}

extern "C" __global__ void matrix_power(const unsigned *matrices, const unsigned long long *exponents, unsigned *powers) {
    __shared__ unsigned square[SIZE][SIZE], result[SIZE][SIZE];
    int place = (blockIdx.x * SIZE + threadIdx.y) * SIZE + threadIdx.x;
    square[threadIdx.y][threadIdx.x] = matrices[place];
    result[threadIdx.y][threadIdx.x] = threadIdx.x == threadIdx.y;
    __syncthreads();
    for (unsigned long long exponent = exponents[blockIdx.x]; exponent != 0; exponent >>= 1) {
        unsigned multiplied = exponent & 1 ? entry_of_product(result, square) : result[threadIdx.y][threadIdx.x];
        unsigned squared = entry_of_product(square, square);
        __syncthreads();
        result[threadIdx.y][threadIdx.x] = multiplied;
        square[threadIdx.y][threadIdx.x] = squared;
        __syncthreads();
    }
    powers[place] = result[threadIdx.y][threadIdx.x];
}
