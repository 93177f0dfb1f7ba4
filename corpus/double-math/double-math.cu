// f64 functions of the mathematics library, which are sequences of exact f64 instructions, and the correctly rounded operations.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int FUNCTIONS = 14, EXACT = 6;

extern "C" __global__ void double_math(const double *values, double *functions, double *exact, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    double x = values[i], positive = fabs(x) + 0.001;
    double *out = functions + i * FUNCTIONS;
    out[0] = exp(x);
    out[1] = log(positive);
    out[2] = sin(x);
    out[3] = cos(x * 1e5);
    out[4] = pow(positive, 1.7);
    out[5] = cbrt(x);
    out[6] = erf(x);
    out[7] = atan2(x, 0.7);
    out[8] = sinh(x);
    out[9] = hypot(x, 3.0);
    out[10] = exp2(x);
    out[11] = log1p(positive);
    out[12] = tan(x);
    out[13] = rsqrt(positive);
    out = exact + i * EXACT;
    out[0] = sqrt(positive);
    out[1] = 1 / positive;
    out[2] = x / 3.7;
    out[3] = fma(x, x, -positive);
    out[4] = fmod(x * 100, 7.25);
    out[5] = rint(x * 10) + floor(x) + trunc(x * 3) + ceil(-x);
}
