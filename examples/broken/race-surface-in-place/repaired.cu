// Repaired: into another surface.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_surface_in_place(cudaSurfaceObject_t in, cudaSurfaceObject_t out) {
    int x = threadIdx.x, y = blockIdx.x;
    int left = surf2Dread<int>(in, 4 * (x > 0 ? x - 1 : x), y);
    int right = surf2Dread<int>(in, 4 * (x < 63 ? x + 1 : x), y);
    surf2Dwrite((left + right) / 2, out, 4 * x, y);
}
