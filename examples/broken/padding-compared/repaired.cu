// Repaired: the members are compared.
// targets: compute_80
// flags: -lineinfo
struct alignas(16) Item {
    double value;
    int key;
};

extern "C" __global__ void padding_compared(const double *in, Item *items, int *same) {
    int i = threadIdx.x;
    Item item;
    item.value = in[i];
    item.key = i / 2;
    items[i] = item;
    __syncthreads();
    uint4 a = reinterpret_cast<const uint4 *>(items)[i];
    uint4 b = reinterpret_cast<const uint4 *>(items)[i ^ 1];
    same[i] = a.x == b.x && a.y == b.y && a.z == b.z;
}
