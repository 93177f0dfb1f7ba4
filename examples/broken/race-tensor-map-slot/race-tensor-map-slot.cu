// Broken: blocks make their tensor maps in one place.
// targets: compute_90a
// flags: -lineinfo
#include <cuda/ptx>
#include <cuda.h>
namespace ptx = cuda::ptx;

extern "C" __global__ void race_tensor_map_slot(
        const __grid_constant__ CUtensorMap map, CUtensorMap *maps, const int *t) {
    alignas(128) __shared__ CUtensorMap changed;
    int lane = threadIdx.x;
    reinterpret_cast<int *>(&changed)[lane] = reinterpret_cast<const int *>(&map)[lane];
    __syncwarp();
    if (lane == 0)
        ptx::tensormap_replace_global_address(ptx::space_shared, &changed, t + 32 * blockIdx.x);
    __syncwarp();
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, ptx::scope_gpu, maps, &changed, ptx::n32_t<128>());
}
