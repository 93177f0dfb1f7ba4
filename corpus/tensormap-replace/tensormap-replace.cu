// Tensor maps changed by the kernel: each block takes the map that the host made, writes its own matrix's address, extents and pitch
// into a copy in shared memory, hands it to the tensor proxy and brings its matrix through it; a grouped copy, as grouped GEMMs do it.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int GROUPS = 4, COLUMNS = 32, ROWS = 16;

struct Matrix {
    unsigned offset, columns, rows, pitch;   // words
};

__device__ alignas(128) CUtensorMap maps[GROUPS];

extern "C" __global__ void __launch_bounds__(64)
    tensormap_replace(const __grid_constant__ CUtensorMap pattern, const Word *words, const Matrix *matrices, Word *out) {
    __shared__ alignas(128) CUtensorMap map;
    __shared__ alignas(128) Word tile[ROWS * COLUMNS];
    __shared__ Barrier full;
    Matrix matrix = matrices[blockIdx.x];
    CUtensorMap *own = &maps[blockIdx.x];
    if (threadIdx.x < 32) {
        reinterpret_cast<Word *>(&map)[threadIdx.x] = reinterpret_cast<const Word *>(&pattern)[threadIdx.x];
        __syncwarp();
        if (threadIdx.x == 0) {
            unsigned at = shared_address(&map);
            unsigned long long address = reinterpret_cast<unsigned long long>(words + matrix.offset);
            asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(address) : "memory");
            asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(matrix.columns) : "memory");
            asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(matrix.rows) : "memory");
            asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at), "l"(matrix.pitch * 4ull) : "memory");
        }
        __syncwarp();
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                     ::"l"(own), "r"(shared_address(&map)) : "memory");
    }
    if (threadIdx.x == 0) {
        initialise(&full, 1);
        publish_barriers();
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(own) : "memory");
        arrive_expecting(&full, sizeof tile);
        load_tile(tile, own, 4, 1, &full);
    }
    __syncthreads();
    wait(&full, 0);
    for (int i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x) out[blockIdx.x * ROWS * COLUMNS + i] = tile[i];
}
