// A transpose through a shared tile with one column of padding, so that neither side has bank conflicts; ragged edges allowed.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int TILE = 32, ROWS = 8;

template <typename T>
__global__ void transpose_padded(const T *in, T *out, int width, int height) {
    __shared__ T tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int row = threadIdx.y; row < TILE; row += ROWS) {
        int place = blockIdx.y * TILE + row;
        if (place < height && column < width) tile[row][threadIdx.x] = in[place * width + column];
    }
    __syncthreads();
    column = blockIdx.y * TILE + threadIdx.x;
    for (int row = threadIdx.y; row < TILE; row += ROWS) {
        int place = blockIdx.x * TILE + row;
        if (place < width && column < height) out[place * height + column] = tile[threadIdx.x][row];
    }
}

template __global__ void transpose_padded<float>(const float *, float *, int, int);
template __global__ void transpose_padded<short>(const short *, short *, int, int);
template __global__ void transpose_padded<double2>(const double2 *, double2 *, int, int);
