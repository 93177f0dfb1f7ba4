// Broken: a surface is read where the same launch has written it, behind a barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void surface_read_behind_write(cudaSurfaceObject_t s, int *out) {
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(10 * y + x, s, 4 * x, y);
    __syncthreads();
    out[8 * y + x] = surf2Dread<int>(s, 4 * y, x);
}
