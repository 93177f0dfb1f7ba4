// Loads and stores of all widths and cache hints: bytes to four words, non-coherent, streaming, volatile, through generic pointers.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void vector_loads(const char *in, char *out, int stride) {
    int i = threadIdx.x;
    const char *from = in + i * stride;
    char *to = out + i * stride;
    __shared__ int4 bounce[32];
    *reinterpret_cast<int4 *>(to) = __ldcs(reinterpret_cast<const int4 *>(from));
    *reinterpret_cast<longlong2 *>(to + 16) = __ldg(reinterpret_cast<const longlong2 *>(from + 16));
    __stcg(reinterpret_cast<float4 *>(to + 32), __ldca(reinterpret_cast<const float4 *>(from + 32)));
    __stcs(reinterpret_cast<short4 *>(to + 48), __ldlu(reinterpret_cast<const short4 *>(from + 48)));
    __stwt(reinterpret_cast<uchar4 *>(to + 56), __ldcg(reinterpret_cast<const uchar4 *>(from + 56)));
    *reinterpret_cast<volatile short *>(to + 60) = *reinterpret_cast<const volatile short *>(from + 60);
    to[62] = from[62];
    to[63] = -from[63];
    bounce[i ^ 1] = *reinterpret_cast<const int4 *>(from + 64);
    __syncwarp();
    // a pointer that is generic until the moment of the access: own shared slot or own global row
    const int *pointer = i % 3 == 0 ? reinterpret_cast<const int *>(&bounce[i]) : reinterpret_cast<const int *>(from + 64);
    int sum = 0;
    for (int k = 0; k < 4; k++) sum = sum * 3 + pointer[k];
    *reinterpret_cast<int *>(to + 64) = sum;
    *reinterpret_cast<int2 *>(to + 72) = make_int2(__isShared(pointer), __isGlobal(pointer));
    unsigned a, b, c, d;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from + 64));
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
    *reinterpret_cast<unsigned *>(to + 68) = a ^ b ^ c ^ d;
}
