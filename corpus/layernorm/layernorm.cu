// Layer normalisation of rows, one warp a row, mean and variance by Welford's method merged across the lanes.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;

extern "C" __global__ void layernorm(const float *in, const float *scale, const float *shift, float *out, int rows, int columns) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    in += row * columns;
    out += row * columns;
    float mean = 0, squares = 0, count = 0;
    for (int column = lane; column < columns; column += 32) {
        count += 1;
        float difference = in[column] - mean;
        mean += difference / count;
        squares = fmaf(difference, in[column] - mean, squares);
    }
    for (int distance = 1; distance < 32; distance *= 2) {
        float other_mean = __shfl_xor_sync(ALL_LANES, mean, distance), other_squares = __shfl_xor_sync(ALL_LANES, squares, distance);
        float other_count = __shfl_xor_sync(ALL_LANES, count, distance), both = count + other_count;
        if (both > 0) {
            float difference = other_mean - mean;
            mean = fmaf(difference, other_count / both, mean);
            squares += other_squares + difference * difference * count * other_count / both;
        }
        count = both;
    }
    float factor = rsqrtf(squares / columns + 1e-5f);
    for (int column = lane; column < columns; column += 32) out[column] = fmaf((in[column] - mean) * factor, scale[column], shift[column]);
}
