// Jacobi steps of a heat equation by a cooperative grid: all blocks meet between two steps, and exchange whole arrays through global
// memory. The sum of changes is reduced over the grid as well.
// targets: compute_80 compute_90a compute_120a
#include <cooperative_groups.h>

extern "C" __global__ void grid_sync(float *one, float *other, int *changed, int width, int height, int steps) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    float *from = one, *to = other;
    for (int step = 0; step < steps; step++) {
        int moved = 0;
        for (int i = grid.thread_rank(); i < width * height; i += grid.size()) {
            int x = i % width, y = i / width;
            bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
            float value = inner ? 0.25f * ((from[i - 1] + from[i + 1]) + (from[i - width] + from[i + width])) : from[i];
            moved += value != from[i];
            to[i] = value;
        }
        for (int lanes = 16; lanes > 0; lanes /= 2) moved += __shfl_xor_sync(~0u, moved, lanes);
        if (threadIdx.x % 32 == 0) atomicAdd(&changed[step], moved);
        grid.sync();
        float *swap = from;
        from = to, to = swap;
    }
    // who is last by rank tells that everybody's count has come
    if (grid.thread_rank() == grid.size() - 1) for (int step = 1; step < steps; step++) changed[steps] += changed[step];
}
