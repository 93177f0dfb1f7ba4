// Broken: the queue is emptied while the copies that take it may still be under way.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void copy_source_overwritten(float4 *queue, float *out) {
    __shared__ float4 tile[64];
    int t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place(&tile[t])), "l"(queue + t) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    queue[t] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[t] = tile[63 - t].x;
}
