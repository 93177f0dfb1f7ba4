// Cooperative groups: tiles of several sizes, partitions by label, coalesced groups, reductions and scans of the library.
// targets: compute_80 compute_90a compute_120a
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
constexpr int RESULTS = 8;

extern "C" __global__ void groups(const int *values, int *results) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp);
    __shared__ int sums[8];
    int thread = block.group_index().x * block.size() + block.thread_rank();
    int value = values[thread], *out = results + thread * RESULTS;

    out[0] = cg::reduce(warp, value, cg::plus<int>());
    out[1] = cg::reduce(quad, value, cg::greater<int>());
    out[2] = cg::inclusive_scan(warp, value);
    out[3] = quad.shfl(value, quad.size() - 1) + quad.meta_group_rank() * 1000;
    out[4] = warp.match_any(value % 5);
    auto same = cg::labeled_partition(warp, value % 3);
    out[5] = cg::reduce(same, value, cg::plus<int>());
    out[6] = 0;
    if (value % 2 != 0) {
        // which odd lanes stand together is the machine's choice; that each finds itself in its group is not
        cg::coalesced_group odd = cg::coalesced_threads();
        out[6] = odd.shfl(value, odd.thread_rank());
    }
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = out[0];
    block.sync();
    int total = 0;
    for (int i = 0; i < warp.meta_group_size(); i++) total += sums[i];
    out[7] = total;
}
