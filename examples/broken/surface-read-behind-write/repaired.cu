// Repaired: the block keeps what it writes in shared memory, too.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void surface_read_behind_write(cudaSurfaceObject_t s, int *out) {
    __shared__ int tile[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(10 * y + x, s, 4 * x, y);
    tile[y][x] = 10 * y + x;
    __syncthreads();
    out[8 * y + x] = tile[x][y];
}
