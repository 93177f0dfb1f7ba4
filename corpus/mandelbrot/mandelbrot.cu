// Escape times of the Mandelbrot set: neighbouring lanes leave the loop at different iterations.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void mandelbrot(int *counts, int width, int height, float x0, float y0, float step, int limit) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    float cx = fmaf(float(column), step, x0), cy = fmaf(float(row), step, y0);
    float x = 0, y = 0;
    int count = 0;
    while (count < limit) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.0f) break;
        y = fmaf(2 * x, y, cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
        count++;
    }
    counts[row * width + column] = count;
}
