// A separable 2-D convolution of an image of bytes, filter in constant memory, both passes over one shared tile with its border.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int RADIUS = 3, TILE = 16, WIDE = TILE + 2 * RADIUS;
__constant__ int filter[2 * RADIUS + 1] = {1, 6, 15, 20, 15, 6, 1};

extern "C" __global__ void convolution(const unsigned char *image, unsigned char *out, int width, int height) {
    __shared__ unsigned char tile[WIDE][WIDE];
    __shared__ unsigned short rows[WIDE][TILE];
    int x0 = blockIdx.x * TILE - RADIUS, y0 = blockIdx.y * TILE - RADIUS;
    int thread = threadIdx.y * TILE + threadIdx.x;
    for (int i = thread; i < WIDE * WIDE; i += TILE * TILE) {
        int x = min(max(x0 + i % WIDE, 0), width - 1), y = min(max(y0 + i / WIDE, 0), height - 1);
        tile[i / WIDE][i % WIDE] = image[y * width + x];
    }
    __syncthreads();
    for (int i = thread; i < WIDE * TILE; i += TILE * TILE) {
        int sum = 0;
#pragma unroll
        for (int k = 0; k < 2 * RADIUS + 1; k++) sum += filter[k] * tile[i / TILE][i % TILE + k];
        rows[i / TILE][i % TILE] = sum;
    }
    __syncthreads();
    int x = x0 + RADIUS + threadIdx.x, y = y0 + RADIUS + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned sum = 0;
    for (int k = 0; k < 2 * RADIUS + 1; k++) sum += filter[k] * rows[threadIdx.y + k][threadIdx.x];
    out[y * width + x] = (sum + 2048) >> 12;
}
