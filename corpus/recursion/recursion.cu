// Recursive device functions, each call with its own frame: Ackermann's function, Hanoi moves, a quicksort in local memory.
// targets: compute_75 compute_80 compute_90a compute_120a
static __device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static __device__ __noinline__ unsigned hanoi(int disks, int from, int to, unsigned hash) {
    if (disks == 0) return hash;
    int spare = 3 - from - to;
    hash = hanoi(disks - 1, from, spare, hash);
    hash = hash * 31 + from * 3 + to;
    return hanoi(disks - 1, spare, to, hash);
}

static __device__ __noinline__ void quicksort(int *values, int count) {
    if (count < 2) return;
    int pivot = values[count / 2], low = 0, high = count - 1;
    while (low <= high) {
        while (values[low] < pivot) low++;
        while (values[high] > pivot) high--;
        if (low <= high) {
            int value = values[low];
            values[low++] = values[high];
            values[high--] = value;
        }
    }
    quicksort(values, high + 1);
    quicksort(values + low, count - low);
}

extern "C" __global__ void recursion(const int *values, unsigned *numbers, int *sorted) {
    constexpr int COUNT = 24;
    int local[COUNT];
    numbers[threadIdx.x * 2] = ackermann(threadIdx.x % 3, threadIdx.x / 3);
    numbers[threadIdx.x * 2 + 1] = hanoi(threadIdx.x % 6, 0, 2, 17);
    for (int i = 0; i < COUNT; i++) local[i] = values[threadIdx.x * COUNT + i];
    quicksort(local, COUNT);
    for (int i = 0; i < COUNT; i++) sorted[threadIdx.x * COUNT + i] = local[i];
}
