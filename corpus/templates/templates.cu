// Templates, constexpr tables, lambdas, a class with operators: what heavy C++ turns into.
// targets: compute_75 compute_80 compute_90a compute_120a
template <int N, typename T>
struct Vector {
    T parts[N];
    __device__ T &operator[](int i) { return parts[i]; }
    __device__ const T &operator[](int i) const { return parts[i]; }
    __device__ Vector operator+(const Vector &other) const {
        Vector sum;
        for (int i = 0; i < N; i++) sum[i] = parts[i] + other[i];
        return sum;
    }
    template <typename Function>
    __device__ auto map(Function function) const {
        Vector<N, decltype(function(parts[0]))> result;
        for (int i = 0; i < N; i++) result[i] = function(parts[i]);
        return result;
    }
    template <typename... Rest>
    static __device__ Vector of(T first, Rest... rest) { return {{first, T(rest)...}}; }
};

template <unsigned N> struct Primes {
    unsigned values[N] = {};
    constexpr Primes() {
        unsigned count = 0;
        for (unsigned candidate = 2; count < N; candidate++) {
            bool prime = true;
            for (unsigned i = 0; i < count; i++) prime = prime && candidate % values[i] != 0;
            if (prime) values[count++] = candidate;
        }
    }
};
__constant__ constexpr Primes<40> primes;

template <typename T, int UNROLL>
__device__ T weighted(const T *values, int count) {
    T sum = 0;
#pragma unroll UNROLL
    for (int i = 0; i < count; i++) {
        if constexpr (sizeof(T) == 8) sum += values[i] * T(primes.values[i % 40]);
        else sum ^= values[i] << (primes.values[i % 40] % 8);
    }
    return sum;
}

template <typename T>
__global__ void templates(const T *values, T *out, int count) {
    auto v = Vector<3, T>::of(values[0], values[1], threadIdx.x);
    auto w = (v + v.map([](T x) { return x * 3; })).map([=](T x) { return x + count; });
    out[threadIdx.x] = w[0] - w[1] + w[2] + weighted<T, 4>(values + threadIdx.x, count);
}

template __global__ void templates<unsigned>(const unsigned *, unsigned *, int);
template __global__ void templates<long long>(const long long *, long long *, int);
