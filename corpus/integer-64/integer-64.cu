// 64-bit integers: products and their high halves, division and remainder signed and unsigned, 128-bit sums through the carry flag.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int RESULTS = 14;

extern "C" __global__ void integer_64(const long long *a, const long long *b, unsigned long long *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long long x = a[i], y = b[i];
    unsigned long long u = x, v = y;
    unsigned long long *results = out + i * RESULTS;
    results[0] = x * y;
    results[1] = __mul64hi(x, y);
    results[2] = __umul64hi(u, v);
    results[3] = x / y;
    results[4] = x % y;
    results[5] = u / v;
    results[6] = u % v;
    results[7] = x / 1000003 + x % -77 + int(x) / 13 + unsigned(x) % 1001;   // by constants: products instead
    results[8] = __mulhi(int(x), int(y)) + (unsigned long long)__umulhi(unsigned(x), unsigned(y));
    results[9] = (long long)int(x) * int(y) + (unsigned long long)unsigned(x) * unsigned(y >> 32);
    results[10] = int(x) / int(y | 1);
    results[11] = unsigned(x) % unsigned(y | 1);
    unsigned __int128 sum = (unsigned __int128)u * v + u + v;
    results[12] = (unsigned long long)(sum >> 64) ^ (unsigned long long)sum;
    results[13] = x >> (y & 63) ^ u >> (y >> 6 & 63) ^ u << (y >> 12 & 63);
}
