// Broken: what the neighbour wrote is fetched through a texture over the same memory.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void texture_of_written_memory(int *a, cudaTextureObject_t texels, int *b) {
    int t = threadIdx.x;
    a[t] = t * t;
    __syncthreads();
    b[t] = tex1Dfetch<int>(texels, t ^ 32);
}
