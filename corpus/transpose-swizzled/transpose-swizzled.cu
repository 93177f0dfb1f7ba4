// A transpose by tiles of 32 x 32 words, loaded and stored four at a time, whose shared places are swizzled by exclusive or instead of padded.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int TILE = 32;

static __device__ int place(int row, int column) { return row * TILE + (column ^ row); }

extern "C" __global__ void transpose_swizzled(const uint4 *in, uint4 *out, int width) {
    // the word of (row, column) stands in the column crossed with the row: no two of a column share a bank
    __shared__ unsigned tile[TILE * TILE];
    int row = threadIdx.x / 8, vector = threadIdx.x % 8;
    uint4 words = in[((blockIdx.y * TILE + row) * width + blockIdx.x * TILE) / 4 + vector];
    tile[place(row, vector * 4)] = words.x;
    tile[place(row, vector * 4 + 1)] = words.y;
    tile[place(row, vector * 4 + 2)] = words.z;
    tile[place(row, vector * 4 + 3)] = words.w;
    __syncthreads();
    words.x = tile[place(vector * 4, row)];
    words.y = tile[place(vector * 4 + 1, row)];
    words.z = tile[place(vector * 4 + 2, row)];
    words.w = tile[place(vector * 4 + 3, row)];
    out[((blockIdx.x * TILE + row) * width + blockIdx.y * TILE) / 4 + vector] = words;
}
