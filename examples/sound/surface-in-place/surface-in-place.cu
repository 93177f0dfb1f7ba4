// Each thread reads a texel through a surface and through a texture, and then writes it: nobody else does.
// targets: compute_80
extern "C" __global__ void surface_in_place(cudaSurfaceObject_t s, cudaTextureObject_t t) {
    int x = 32 * blockIdx.x + threadIdx.x, y = blockIdx.y;
    int before = surf2Dread<int>(s, 4 * x, y) + tex2D<int>(t, x + 0.5f, y + 0.5f);
    surf2Dwrite(before + 1, s, 4 * x, y);
}
