// Cooperative groups' barrier of the whole grid orders what blocks write for each other.
// targets: compute_80
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void grid_sync(int *a, int *b) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    a[i] = i;
    grid.sync();
    b[i] = a[n - 1 - i];
    grid.sync();
    a[i] = b[(i + 33) % n];
}
