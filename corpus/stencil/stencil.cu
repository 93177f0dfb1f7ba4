// A seven-point stencil in three dimensions that marches through z with the plane in shared memory and z's neighbours in registers.
// targets: compute_75 compute_80 compute_90a compute_120a
// flags: -lineinfo
constexpr int TILE_X = 16, TILE_Y = 8;

extern "C" __global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float center, float side) {
    __shared__ float plane[TILE_Y + 2][TILE_X + 2];
    int x = blockIdx.x * TILE_X + threadIdx.x + 1, y = blockIdx.y * TILE_Y + threadIdx.y + 1;
    int i = threadIdx.x + 1, j = threadIdx.y + 1;
    bool inside = x < nx - 1 && y < ny - 1, present = x < nx && y < ny;
    int place = y * nx + x, step = nx * ny;
    float below = present ? in[place] : 0, here = present ? in[place + step] : 0;
    for (int z = 1; z < nz - 1; z++) {
        float above = present ? in[place + (z + 1) * step] : 0;
        __syncthreads();
        plane[j][i] = here;
        if (threadIdx.x == 0 && y < ny) plane[j][0] = in[place + z * step - 1];
        if (threadIdx.x == TILE_X - 1 && inside) plane[j][i + 1] = in[place + z * step + 1];
        if (threadIdx.y == 0 && x < nx) plane[0][i] = in[place + z * step - nx];
        if (threadIdx.y == TILE_Y - 1 && inside) plane[j + 1][i] = in[place + z * step + nx];
        __syncthreads();
        if (inside) {
            float sum = plane[j][i - 1] + plane[j][i + 1] + plane[j - 1][i] + plane[j + 1][i] + below + above;
            out[place + z * step] = fmaf(center, here, __fmul_rn(side, sum));
        }
        below = here;
        here = above;
    }
}
