// Half of a warp shuffles and votes in the `if`, half in the `else`: with one mask it is one exchange, wherever in the code its lanes are (sm_70 and later).
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void exchange_at_two_places(const int *in, int *out) {
    int lane = threadIdx.x;
    int value = in[lane];
    int other;
    unsigned negative;
    if (lane < 16) {
        other = __shfl_xor_sync(0xffffffff, value, 16);
        negative = __ballot_sync(0xffffffff, value < 0);
    } else {
        other = __shfl_xor_sync(0xffffffff, 2 * value, 16);
        negative = __ballot_sync(0xffffffff, other < 0);
    }
    out[lane] = other + __popc(negative);
}
