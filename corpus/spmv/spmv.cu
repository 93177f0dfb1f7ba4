// A sparse matrix (CSR) times a vector, one group of eight lanes a row.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int GROUP = 8;

extern "C" __global__ void spmv(const int *starts, const int *columns, const double *values, const double *x, double *y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / GROUP, lane = threadIdx.x % GROUP;
    double sum = 0;
    if (row < rows) {
        for (int i = starts[row] + lane; i < starts[row + 1]; i += GROUP) sum = fma(values[i], __ldg(&x[columns[i]]), sum);
    }
    for (int distance = GROUP / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance, GROUP);
    if (row < rows && lane == 0) y[row] = sum;
}
