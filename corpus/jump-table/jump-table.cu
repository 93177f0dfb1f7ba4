// A dense switch that becomes a jump table (brx.idx), nested loops with breaks, early exits and short-circuit conditions.
// targets: compute_75 compute_80 compute_90a compute_120a
// flags: -lineinfo
extern "C" __global__ void jump_table(const int *codes, int *results, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int code = codes[i], value = i + 1;
    for (int round = 0; round < 6; round++) {
        switch ((code + round) % 12) {
            case 0: value += 17; break;
            case 1: value ^= 0x55; break;
            case 2: value *= 3;   // and goes on
            case 3: value -= code; break;
            case 4: value = value << 2 | 1; break;
            case 5: if (value % 2 == 0 || (code > 30 && value > 100)) break;
            case 6: value = -value; break;
            case 7: while (value > 1000) value /= 3; break;
            case 8: for (int k = 0; k < 10; k++) { if (k * k > value) continue; value += k; if (value % 7 == 0) break; } break;
            case 9: results[i] = value; return;
            case 10: value = value / 5 + round; break;
            default: value = ~value;
        }
    }
    results[i] = value;
}
