// Keeps the positive values: a warp reserves room for all of its own with one atomic, lanes find their place by a ballot.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;

extern "C" __global__ void compaction(const int *values, int *kept, unsigned char *seen, int *kept_count, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < count && values[i] > 0;
    unsigned keepers = __ballot_sync(ALL_LANES, keep);
    int first = 0;
    if (lane == 0 && keepers != 0) first = atomicAdd(kept_count, __popc(keepers));
    first = __shfl_sync(ALL_LANES, first, 0);
    if (keep) {
        kept[first + __popc(keepers & ((1u << lane) - 1))] = values[i];
        seen[values[i]] = 1;   // the order of the warps is free: the set is not
    }
}
