// A lock taken with compare-and-swap around a section that several blocks and lanes of one warp contend for. It relies on
// independent thread scheduling: the lane that holds the lock must go on while its neighbours spin.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void spin_lock(int *lock, int *account, int *log, int rounds) {
    for (int i = 0; i < rounds; i++) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        int before = *reinterpret_cast<volatile int *>(account);
        *reinterpret_cast<volatile int *>(account) = before + 1;
        log[before] = 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
