// Broken: blocks read what others write, and only wait for their own threads.
// targets: compute_80
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void race_without_grid_sync(int *a, int *b) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    a[i] = i;
    __syncthreads();
    b[i] = a[n - 1 - i];
}
