// Counts words in a hash table with open addressing: a 64-bit compare-and-swap claims a slot, an addition counts. The second
// kernel looks words up.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr unsigned SLOTS = 512;
constexpr unsigned long long EMPTY = ~0ull;

static __device__ unsigned hash(unsigned long long key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33;
    return unsigned(key);
}

extern "C" __global__ void count_words(const unsigned long long *words, unsigned long long *keys, unsigned *counts, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (unsigned slot = hash(words[i]) % SLOTS;; slot = (slot + 1) % SLOTS) {
        unsigned long long before = atomicCAS(&keys[slot], EMPTY, words[i]);
        if (before == EMPTY || before == words[i]) {
            atomicAdd(&counts[slot], 1u);
            return;
        }
    }
}

extern "C" __global__ void look_up(const unsigned long long *words, const unsigned long long *keys, const unsigned *counts, unsigned *found, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    found[i] = 0;
    for (unsigned slot = hash(words[i]) % SLOTS; keys[slot] != EMPTY; slot = (slot + 1) % SLOTS) {
        if (keys[slot] == words[i]) {
            found[i] = counts[slot];
            break;
        }
    }
}
