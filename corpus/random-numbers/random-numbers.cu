// Generators of random numbers: counter-based Philox, xorshift, PCG with a jump ahead, and a count of points inside a circle.
// targets: compute_75 compute_80 compute_90a compute_120a
static __device__ uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; round++) {
        unsigned high0 = __umulhi(0xd2511f53u, counter.x), high1 = __umulhi(0xcd9e8d57u, counter.z);
        counter = make_uint4(high1 ^ counter.y ^ key.x, 0xcd9e8d57u * counter.z, high0 ^ counter.w ^ key.y, 0xd2511f53u * counter.x);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

static __device__ unsigned long long jumped(unsigned long long state, unsigned long long steps) {
    unsigned long long factor = 6364136223846793005ULL, increment = 1442695040888963407ULL, all_factor = 1, all_increment = 0;
    for (; steps != 0; steps >>= 1) {
        if (steps & 1) {
            all_factor *= factor;
            all_increment = all_increment * factor + increment;
        }
        increment *= factor + 1;
        factor *= factor;
    }
    return state * all_factor + all_increment;
}

extern "C" __global__ void random_numbers(uint4 *words, unsigned *turned, unsigned *inside, unsigned seed, int points) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    words[i] = philox(make_uint4(i, 0, 0, 7), make_uint2(seed, 42));
    unsigned x = seed ^ (i * 0x9e3779b9u + 1);
    unsigned hits = 0;
    for (int point = 0; point < points; point++) {
        unsigned ends[2];
        for (unsigned &end : ends) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            end = x >> 16;
        }
        hits += (unsigned long long)ends[0] * ends[0] + (unsigned long long)ends[1] * ends[1] < 1ull << 32;
    }
    atomicAdd(inside, hits);
    unsigned long long state = jumped(seed, i * 1000003ull);
    unsigned shifted = unsigned((state >> 18 ^ state) >> 27), rotation = unsigned(state >> 59);
    turned[i] = shifted >> rotation | shifted << (-rotation & 31);
}
