#include "case.h"

int main() {
    const int nx = 35, ny = 19, nz = 7, step = nx * ny;
    const float center = 0.4f, side = 0.1f;
    auto in = Random{76}.reals<float>(nx * ny * nz, -1, 1);
    std::vector<float> out(in.size());
    for (int z = 1; z < nz - 1; z++) {
        for (int y = 1; y < ny - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                const float *p = &in[size_t(z * step + y * nx + x)];
                float sum = p[-1] + p[1] + p[-nx] + p[nx] + p[-step] + p[step];
                out[size_t(p - in.data())] = std::fma(center, p[0], side * sum);
            }
        }
    }
    Case("stencil").grid(3, 3).block(16, 8).in("in", in, {nz, ny, nx}).zeros<float>("out", {nz, ny, nx}).s32(nx).s32(ny).s32(nz).f32(center).f32(side)
        .expect("out", out, {nz, ny, nx}).note("the reference adds in the kernel's order").write();
}
