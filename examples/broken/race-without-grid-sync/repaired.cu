// Repaired: they wait for the whole grid.
// targets: compute_80
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void race_without_grid_sync(int *a, int *b) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    a[i] = i;
    grid.sync();
    b[i] = a[n - 1 - i];
}
