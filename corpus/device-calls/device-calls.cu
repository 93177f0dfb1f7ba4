// Calls of device functions that are not inlined: scalars, structs by value and returned, pointers to the caller's locals.
// targets: compute_75 compute_80 compute_90a compute_120a
// flags: -lineinfo
struct Fraction {
    long long numerator;
    int denominator;
};

static __device__ __noinline__ int greatest_divisor(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static __device__ __noinline__ Fraction reduced(Fraction fraction) {
    int divisor = greatest_divisor(int(fraction.numerator), fraction.denominator);
    return {fraction.numerator / divisor, fraction.denominator / divisor};
}

static __device__ __noinline__ Fraction add(const Fraction &a, const Fraction &b) {
    return reduced({a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator});
}

static __device__ __noinline__ void divide(int a, int b, int *quotient, int *rest) {
    *quotient = a / b;
    *rest = a - *quotient * b;
}

static __device__ __noinline__ float horner(const float *coefficients, int count, float x, bool negative) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum = fmaf(sum, x, coefficients[i]);
    return negative ? -sum : sum;
}

extern "C" __global__ void device_calls(const int *numbers, const float *coefficients, int *fractions, float *polynomial, int count) {
    int i = threadIdx.x;
    if (i >= count) return;
    Fraction sum = add({numbers[i], 60}, {numbers[i] * 7 % 31, 84});
    int quotient, rest;
    divide(numbers[i], 17, &quotient, &rest);
    fractions[i * 4] = int(sum.numerator);
    fractions[i * 4 + 1] = sum.denominator;
    fractions[i * 4 + 2] = quotient;
    fractions[i * 4 + 3] = rest;
    polynomial[i] = horner(coefficients, 5, numbers[i] * 0.125f, i % 3 == 0);
}
