// Gravitational accelerations of all bodies on each other, bodies staged through shared memory as float4.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void nbody(const float4 *bodies, float4 *accelerations, int count, float softening) {
    extern __shared__ float4 tile[];
    int own = blockIdx.x * blockDim.x + threadIdx.x;
    float4 body = bodies[own];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < count; first += blockDim.x) {
        tile[threadIdx.x] = bodies[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < blockDim.x; i++) {
            float dx = tile[i].x - body.x, dy = tile[i].y - body.y, dz = tile[i].z - body.z;
            float square = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening)));
            float inverse = __fdiv_rn(1.0f, __fsqrt_rn(square));   // correctly rounded, so that the reference can follow
            float weight = tile[i].w * inverse * inverse * inverse;
            ax = fmaf(dx, weight, ax);
            ay = fmaf(dy, weight, ay);
            az = fmaf(dz, weight, az);
        }
        __syncthreads();
    }
    accelerations[own] = make_float4(ax, ay, az, 0);
}
