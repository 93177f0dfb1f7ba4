// Every way the lanes of a warp speak with each other: shuffles of all modes and widths, votes, match, ballot, active masks.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;
constexpr int RESULTS = 16;

extern "C" __global__ void warp_intrinsics(const int *words, int *results) {
    int lane = threadIdx.x, word = words[blockIdx.x * 32 + lane];
    int *out = results + (blockIdx.x * 32 + lane) * RESULTS;
    out[0] = __shfl_sync(ALL_LANES, word, 5);
    out[1] = __shfl_sync(ALL_LANES, word, lane * 3 & 31);
    out[2] = __shfl_sync(ALL_LANES, word, 9, 8);            // lane 1 of each group of eight
    out[3] = __shfl_up_sync(ALL_LANES, word, 3);
    out[4] = __shfl_up_sync(ALL_LANES, word, 3, 16);
    out[5] = __shfl_down_sync(ALL_LANES, word, 5, 8);
    out[6] = __shfl_xor_sync(ALL_LANES, word, 21);
    out[7] = int(__shfl_xor_sync(ALL_LANES, 1000000007LL * word, 7) >> 13);
    out[8] = __any_sync(ALL_LANES, word == 3) * 2 + __all_sync(ALL_LANES, word >= 0);
    out[9] = __ballot_sync(ALL_LANES, word & 1);
    out[10] = __match_any_sync(ALL_LANES, word);
    int same;
    out[11] = __match_all_sync(ALL_LANES, word / 16, &same);
    out[12] = same;
    unsigned even = __ballot_sync(ALL_LANES, word % 2 == 0);
    if (word % 2 == 0) {
        // every lane gets the word of the lowest lane of its group, and its own rank in the group; no other lane can be active
        int leader = __ffs(even) - 1, rank = __popc(even & ((1u << lane) - 1)), strangers = __popc(__activemask() & ~even);
        out[13] = __shfl_sync(even, word, leader) + rank + 1000 * strangers;
    } else {
        out[13] = -1;
    }
    __syncwarp();
    if (lane < 8) out[14] = __shfl_xor_sync(0xff, word, 4);   // a mask of a part of the warp
    else out[14] = 0;
    __syncwarp();
    out[15] = lane == 31 ? word : __shfl_sync(0x7fffffff, word, 30 - lane);
}
