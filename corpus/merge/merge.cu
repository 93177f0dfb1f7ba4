// Merges two sorted arrays: every thread finds by binary search where its diagonal crosses the merge path, then merges eight values.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int PER_THREAD = 8;

extern "C" __global__ void merge(const int *a, const int *b, int *out, int a_count, int b_count) {
    int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
    if (diagonal >= a_count + b_count) return;
    int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < PER_THREAD && diagonal + k < a_count + b_count; k++) {
        bool from_a = j >= b_count || (i < a_count && a[i] <= b[j]);
        out[diagonal + k] = from_a ? a[i++] : b[j++];
    }
}
