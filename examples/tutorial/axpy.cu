// z = a x + y, one element a thread.
extern "C" __global__ void axpy(float *z, const float *x, const float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        z[i] = a * x[i] + y[i];
    }
}
