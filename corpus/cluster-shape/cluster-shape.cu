// What a block knows of its cluster, in three dimensions: special registers, the rank that an address belongs to, and who arrived
// while it did something else between the two halves of the cluster's barrier.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int WORDS = 20;

#define SPECIAL(name) [] { unsigned value; asm volatile("mov.u32 %0, %%" name ";" : "=r"(value)); return value; }()

extern "C" __global__ void cluster_shape(unsigned *out) {
    __shared__ unsigned own, from_next;
    unsigned rank = cluster_rank(), blocks = SPECIAL("cluster_nctarank");
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0) own = 1000 + rank;
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    unsigned words[WORDS] = {SPECIAL("cluster_ctaid.x"),  SPECIAL("cluster_ctaid.y"),  SPECIAL("cluster_ctaid.z"),  SPECIAL("cluster_nctaid.x"),
                             SPECIAL("cluster_nctaid.y"), SPECIAL("cluster_nctaid.z"), SPECIAL("clusterid.x"),      SPECIAL("clusterid.y"),
                             SPECIAL("clusterid.z"),      SPECIAL("nclusterid.x"),     SPECIAL("nclusterid.y"),     SPECIAL("nclusterid.z"),
                             rank,                        blocks};
    unsigned is_explicit;
    asm volatile("{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(is_explicit));
    words[14] = is_explicit;
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
    if (threadIdx.x == 0) {
        unsigned next = (rank + 1) % blocks, remote = in_block(&own, next), where, own_rank;
        unsigned long long generic;
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(words[15]) : "r"(remote) : "memory");
        asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(where) : "r"(remote));
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(generic) : "l"(&from_next), "r"(next));
        asm volatile("getctarank.u64 %0, %1;" : "=r"(own_rank) : "l"(&own));
        words[16] = where;
        words[17] = own_rank;
        // a generic address leads into the other block as well
        *reinterpret_cast<volatile unsigned *>(generic) = 2000 + rank;
        asm volatile("{.reg .pred p, q; isspacep.shared::cta p, %1; isspacep.shared::cluster q, %1; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2;}"
                     : "=r"(words[18]) : "l"(generic));
    }
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
    if (threadIdx.x == 0) {
        words[19] = from_next;
        for (int i = 0; i < WORDS; i++) out[block * WORDS + i] = words[i];
    }
}
