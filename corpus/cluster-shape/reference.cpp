#include "case.h"

static void shape(const std::string &file, const std::string &out, const std::vector<unsigned> &grid, const std::vector<unsigned> &cluster) {
    std::vector<uint32_t> words;
    unsigned blocks = cluster[0] * cluster[1] * cluster[2];
    for (unsigned z = 0; z < grid[2]; z++) {
        for (unsigned y = 0; y < grid[1]; y++) {
            for (unsigned x = 0; x < grid[0]; x++) {
                unsigned rank = (z % cluster[2] * cluster[1] + y % cluster[1]) * cluster[0] + x % cluster[0], next = (rank + 1) % blocks;
                for (unsigned word : {x % cluster[0], y % cluster[1], z % cluster[2], cluster[0], cluster[1], cluster[2]}) words.push_back(word);
                for (unsigned word : {x / cluster[0], y / cluster[1], z / cluster[2]}) words.push_back(word);
                for (int axis = 0; axis < 3; axis++) words.push_back(grid[size_t(axis)] / cluster[size_t(axis)]);
                for (unsigned word : {rank, blocks, 1u, 1000 + next, next, rank, 2u, 2000 + (rank + blocks - 1) % blocks}) words.push_back(word);
            }
        }
    }
    size_t count = grid[0] * grid[1] * grid[2];
    Case("cluster_shape", file).grid(grid[0], grid[1], grid[2]).block(33).cluster(cluster[0], cluster[1], cluster[2]).poison<uint32_t>(out, {count, 20})
        .expect(out, words, {count, 20}).write();
}

int main() {
    shape("launch.json", "out", {4, 2, 2}, {2, 2, 2});
    shape("launch-odd.json", "out_odd", {3, 5, 1}, {3, 1, 1});
}
