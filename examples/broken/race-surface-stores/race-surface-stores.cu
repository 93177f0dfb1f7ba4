// Broken: blocks overlap by a column of the surface that each of them writes.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_surface_stores(cudaSurfaceObject_t s) {
    int x = 31 * blockIdx.x + threadIdx.x;
    surf2Dwrite(make_short2(blockIdx.x, threadIdx.x), s, 4 * x, blockIdx.y);
}
