// Grids and blocks of three dimensions, the special registers that say where a thread stands, and a struct passed by value.
// targets: compute_75 compute_80 compute_90a compute_120a
struct Box {
    unsigned char tag;
    short offsets[3];
    double weight;
    int3 extent;
};

extern "C" __global__ void thread_geometry(const Box box, int *places, double *weights) {
    unsigned lane, below, equal, from;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(equal));
    asm("mov.u32 %0, %%lanemask_ge;" : "=r"(from));
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= box.extent.x || y >= box.extent.y || z >= box.extent.z) return;
    int place = (z * box.extent.y + y) * box.extent.x + x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    bool consistent = lane == thread % 32 && below == equal - 1 && from == ~below && equal == 1u << lane && warpSize == 32;
    places[place] = (x + box.offsets[0]) * 10000 + (y + box.offsets[1]) * 100 + (z + box.offsets[2]) + (consistent ? 0 : 1000000000) + gridDim.x * gridDim.y * gridDim.z;
    weights[place] = box.weight * box.tag + thread;
}
