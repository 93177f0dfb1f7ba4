// assert() inside a kernel: it holds for every thread of the launch that is kept here.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <cassert>

extern "C" __global__ void checked_square_root(const unsigned *squares, unsigned *roots, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < count);
    unsigned root = 0, square = squares[i];
    for (unsigned bit = 1u << 15; bit != 0; bit /= 2) {
        unsigned longer = root | bit;
        if (longer * longer <= square) root = longer;
    }
    assert(root * root == square);
    roots[i] = root;
}
