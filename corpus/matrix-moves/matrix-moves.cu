// Matrices between memory and fragments: ldmatrix of all counts, plain and transposed, and movmatrix.
// targets: compute_75 compute_80 compute_90a compute_120a
static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

extern "C" __global__ void matrix_moves(const uint4 *rows, unsigned *out) {
    __shared__ uint4 matrices[32];   // four matrices of eight rows of eight 16-bit elements
    int lane = threadIdx.x;
    matrices[lane] = rows[lane];
    __syncwarp();
    unsigned r[15], address = shared_address(&matrices[lane]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[1]), "=r"(r[2]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[7]) : "r"(address));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[8]), "=r"(r[9]) : "r"(address ^ 16));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[10]), "=r"(r[11]), "=r"(r[12]), "=r"(r[13]) : "r"(shared_address(&matrices[31 - lane])));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[14]) : "r"(r[4]));
    for (int i = 0; i < 15; i++) out[i * 32 + lane] = r[i];
}
