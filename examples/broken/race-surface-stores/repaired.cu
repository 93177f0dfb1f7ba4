// Repaired: as many columns a block as it has threads.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_surface_stores(cudaSurfaceObject_t s) {
    int x = 32 * blockIdx.x + threadIdx.x;
    surf2Dwrite(make_short2(blockIdx.x, threadIdx.x), s, 4 * x, blockIdx.y);
}
