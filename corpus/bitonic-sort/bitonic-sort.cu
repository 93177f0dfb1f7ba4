// Bitonic sort of keys with their places, 256 pairs a block in shared memory; the short strides stay inside warps.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int COUNT = 256;

extern "C" __global__ void bitonic_sort(float *keys, int *places) {
    __shared__ float key[COUNT];
    __shared__ int place[COUNT];
    int first = blockIdx.x * COUNT;
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x) {
        key[i] = keys[first + i];
        place[i] = i;
    }
    for (int size = 2; size <= COUNT; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), high = low + stride;
            bool ascending = (low & size) == 0;
            if ((key[low] > key[high]) == ascending && key[low] != key[high]) {
                float k = key[low];
                key[low] = key[high];
                key[high] = k;
                int p = place[low];
                place[low] = place[high];
                place[high] = p;
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < COUNT; i += blockDim.x) {
        keys[first + i] = key[i];
        places[first + i] = place[i];
    }
}
