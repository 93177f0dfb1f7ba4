// One reduction of each kind that the redux.sync instruction has, one warp per row of 32 words.
// targets: compute_80 compute_90a compute_120a
constexpr unsigned ALL_LANES = 0xffffffff;

extern "C" __global__ void reduce_redux(const unsigned *rows, unsigned *results) {
    int lane = threadIdx.x;
    unsigned word = rows[blockIdx.x * 32 + lane];
    unsigned add = __reduce_add_sync(ALL_LANES, word);
    unsigned low = __reduce_min_sync(ALL_LANES, word), high = __reduce_max_sync(ALL_LANES, word);
    int signed_low = __reduce_min_sync(ALL_LANES, int(word)), signed_high = __reduce_max_sync(ALL_LANES, int(word));
    unsigned conjunction = __reduce_and_sync(ALL_LANES, word | 0xf), disjunction = __reduce_or_sync(ALL_LANES, word & 0xff0000);
    unsigned parity = __reduce_xor_sync(ALL_LANES, word);
    unsigned quads = 0;
    if (lane < 8) quads = __reduce_add_sync(0xffu, word);   // a part of the warp
    if (lane == 0) {
        unsigned all[] = {add, low, high, unsigned(signed_low), unsigned(signed_high), conjunction, disjunction, parity, quads};
        for (int i = 0; i < 9; i++) results[blockIdx.x * 9 + i] = all[i];
    }
}
