// Tensor maps changed by the kernel: each block takes the map that the host made, writes its own matrix's address, extents and pitch
// into a copy in shared memory, hands it to the tensor proxy and brings its matrix through it; a grouped copy, as grouped GEMMs do it.
// The second kernel makes its map of zeros, field by field, as Triton's kernels do.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int GROUPS = 4, COLUMNS = 32, ROWS = 16;

struct Matrix {
    unsigned offset, columns, rows, pitch;   // words
};

__device__ alignas(128) CUtensorMap maps[GROUPS];

#define FIELD(name, width, constraint, value) \
    asm volatile("tensormap.replace.tile." name ".shared::cta.b1024." width " [%0], %1;" ::"r"(shared_address(map)), constraint(value) : "memory")
#define OF_AXIS(name, axis, width, constraint, value) \
    asm volatile("tensormap.replace.tile." name ".shared::cta.b1024." width " [%0], " axis ", %1;" ::"r"(shared_address(map)), constraint(value) : "memory")
#define CHOICE(name, value) asm volatile("tensormap.replace.tile." name ".shared::cta.b1024.b32 [%0], " value ";" ::"r"(shared_address(map)) : "memory")

/// What differs from matrix to matrix.
static __device__ void place(CUtensorMap *map, const Word *words, const Matrix &matrix) {
    FIELD("global_address", "b64", "l", reinterpret_cast<unsigned long long>(words + matrix.offset));
    OF_AXIS("global_dim", "0", "b32", "r", matrix.columns);
    OF_AXIS("global_dim", "1", "b32", "r", matrix.rows);
    OF_AXIS("global_stride", "0", "b64", "l", matrix.pitch * 4ull);
}

/// What the host says of a pattern.
static __device__ void describe(CUtensorMap *map) {
    CHOICE("rank", "1");            // less one
    CHOICE("elemtype", "2");        // u32
    CHOICE("interleave_layout", "0");
    CHOICE("swizzle_mode", "0");
    CHOICE("fill_mode", "0");
    OF_AXIS("box_dim", "0", "b32", "r", COLUMNS);
    OF_AXIS("box_dim", "1", "b32", "r", ROWS);
    OF_AXIS("element_stride", "0", "b32", "r", 1);
    OF_AXIS("element_stride", "1", "b32", "r", 1);
}

/// @param pattern or null, for a map of zeros
static __device__ void copy(const CUtensorMap *pattern, const Word *words, const Matrix *matrices, Word *out) {
    __shared__ alignas(128) CUtensorMap map;
    __shared__ alignas(128) Word tile[ROWS * COLUMNS];
    __shared__ Barrier full;
    CUtensorMap *own = &maps[blockIdx.x];
    if (threadIdx.x < 32) {
        reinterpret_cast<Word *>(&map)[threadIdx.x] = pattern == nullptr ? 0 : reinterpret_cast<const Word *>(pattern)[threadIdx.x];
        __syncwarp();
        if (threadIdx.x == 0) {
            place(&map, words, matrices[blockIdx.x]);
            if (pattern == nullptr) describe(&map);
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

extern "C" __global__ void __launch_bounds__(64)
    tensormap_replace(const __grid_constant__ CUtensorMap pattern, const Word *words, const Matrix *matrices, Word *out) {
    copy(&pattern, words, matrices, out);
}

extern "C" __global__ void __launch_bounds__(64) tensormap_from_zeros(const Word *words, const Matrix *matrices, Word *out) {
    copy(nullptr, words, matrices, out);
}
