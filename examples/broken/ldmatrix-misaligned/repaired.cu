// Repaired: four words of padding keep every row at a multiple of 16.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void ldmatrix_misaligned(const unsigned *in, unsigned *out) {
    __shared__ alignas(16) unsigned tile[8][8];
    tile[threadIdx.x / 4][threadIdx.x % 4] = in[threadIdx.x];
    __syncwarp();
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x % 8][0])), word;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(word) : "r"(address) : "memory");
    out[threadIdx.x] = word;
}
