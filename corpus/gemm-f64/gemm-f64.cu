// D = A * B in f64 on tensor cores, m8n8k4, one warp a tile of 16 x 8 read straight from global memory.
// targets: compute_80 compute_90a compute_120a
static __device__ __forceinline__ void multiply(double (&d)[2], double a, double b) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b));
}

extern "C" __global__ void gemm_f64(const double *a, const double *b, double *d, int n, int k) {
    int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, column = blockIdx.x * 8 + lane / 4;
    double sums[2][2] = {};
    for (int i = lane % 4; i < k; i += 4) {
        double right = b[column * k + i];
        multiply(sums[0], a[row * k + i], right);
        multiply(sums[1], a[(row + 8) * k + i], right);
    }
    for (int half = 0; half < 2; half++) {
        *reinterpret_cast<double2 *>(&d[(row + half * 8) * n + blockIdx.x * 8 + lane % 4 * 2]) = make_double2(sums[half][0], sums[half][1]);
    }
}
