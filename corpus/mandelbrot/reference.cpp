#include "case.h"

int main() {
    const int width = 60, height = 44, limit = 200;
    const float x0 = -2.1f, y0 = -1.2f, step = 0.05f;
    std::vector<int32_t> counts;
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            float cx = std::fma(float(column), step, x0), cy = std::fma(float(row), step, y0), x = 0, y = 0;
            int count = 0;
            for (; count < limit; count++) {
                float xx = x * x, yy = y * y;
                if (xx + yy > 4) break;
                y = std::fma(2 * x, y, cy);
                x = xx - yy + cx;
            }
            counts.push_back(count);
        }
    }
    Case("mandelbrot").grid(4, 6).block(16, 8).poison<int32_t>("counts", {height, width}).s32(width).s32(height).f32(x0).f32(y0).f32(step).s32(limit)
        .expect("counts", counts, {height, width}).write();
}
